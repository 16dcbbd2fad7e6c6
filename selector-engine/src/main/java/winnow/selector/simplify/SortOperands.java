package winnow.selector.simplify;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.And;
import winnow.selector.expression.Between;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.Condition;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.IsNull;
import winnow.selector.expression.Like;
import winnow.selector.expression.Or;

/// `b AND a -> a AND b`, `b OR a -> a OR b`, by the name that an operand begins with, then by text.
/// Holds for UNKNOWN: minimum and maximum do not care for order, and no atom fails.
final class SortOperands implements RewriteRule {

    /// An operand with its text, which is printed only if the name does not tell it from another.
    private static final class Sortable implements Comparable<Sortable> {

        final Condition operand;
        private final String name;
        private @Nullable String text;

        Sortable(Condition operand) {
            this.operand = operand;
            this.name = firstName(operand);
        }

        @Override
        public int compareTo(Sortable other) {
            int byName = name.compareTo(other.name);
            return byName != 0 ? byName : text().compareTo(other.text());
        }

        private String text() {
            String known = text;
            if (known == null) {
                known = ExpressionPrinter.print(operand);
                text = known;
            }
            return known;
        }
    }

    /// Empty for what begins with anything else.
    private static String firstName(Condition operand) {
        // Most are comparisons. A switch with record patterns would test for them late.
        if (operand instanceof Comparison comparison) {
            return comparison.left() instanceof Identifier name ? name.name() : "";
        }
        return switch (operand) {
            case Between(Identifier(String name), var _, var _, var _) -> name;
            case In in -> in.identifier().name();
            case Like like -> like.identifier().name();
            case IsNull(Identifier(String name)) -> name;
            case Identifier(String name) -> name;
            default -> "";
        };
    }

    /// True if each operand is an atom that begins with a name, and no two with the same; may be
    /// false for many of them although it is so.
    static boolean haveDifferentNames(List<Condition> operands) {
        for (Condition operand : operands) {
            if (firstName(operand).isEmpty()) {
                return false;
            }
        }
        return !CanonicalForm.mayHave(operands, (a, b) -> firstName(a).equals(firstName(b)));
    }

    /// True if names alone tell that the operands are in order.
    private static boolean areSorted(List<Condition> operands) {
        for (int i = 1; i < operands.size(); i++) {
            if (firstName(operands.get(i - 1)).compareTo(firstName(operands.get(i))) >= 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Condition apply(Condition node) {
        return switch (node) {
            case And(List<Condition> operands) when !areSorted(operands) ->
                    CanonicalForm.and(sorted(operands));
            case Or(List<Condition> operands) when !areSorted(operands) ->
                    CanonicalForm.or(sorted(operands));
            default -> node;
        };
    }

    private static List<Condition> sorted(List<Condition> operands) {
        Sortable[] sortable = new Sortable[operands.size()];
        for (int i = 0; i < sortable.length; i++) {
            sortable[i] = new Sortable(operands.get(i));
        }
        Arrays.sort(sortable);
        Condition[] sorted = new Condition[sortable.length];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = sortable[i].operand;
        }
        return List.of(sorted);
    }
}
