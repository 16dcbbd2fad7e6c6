package winnow.selector.simplify;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.Atom;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.Not;
import winnow.selector.expression.StringLiteral;

/// Conditions that say "this name is one of these strings", or with NOT "is none of these".
final class Equalities {

    /// Which strings an equality or IN over a name accepts.
    private record Choice(Identifier identifier, Collection<String> values) {}

    private Equalities() {}

    /// Whether two operands choose among strings for one name, so that [#joined] has something to
    /// do.
    static boolean mayJoin(List<Condition> operands, boolean negated) {
        return CanonicalForm.mayHave(
                operands,
                (a, b) -> {
                    Identifier name = chosen(a, negated);
                    return name != null && name.equals(chosen(b, negated));
                });
    }

    private static @Nullable Identifier chosen(Condition operand, boolean negated) {
        Condition positive = operand;
        if (negated) {
            if (!(operand instanceof Not(Atom atom))) {
                return null;
            }
            positive = atom;
        }
        return switch (positive) {
            case Comparison(Identifier identifier, var operator, StringLiteral _)
                    when operator == ComparisonOperator.EQUAL ->
                    identifier;
            case In in -> in.identifier();
            default -> null;
        };
    }

    /// Joins the sets of strings per name and leaves all other operands as they are.
    ///
    /// @param negated whether the operands that count are those under NOT
    /// @param join what the sets of two operands of one name become
    static List<Condition> joined(
            List<Condition> operands, boolean negated, BinaryOperator<SortedSet<String>> join) {
        List<Condition> rest = new ArrayList<>(operands.size());
        Map<Identifier, SortedSet<String>> sets = new LinkedHashMap<>();
        for (Condition operand : operands) {
            Choice choice = choice(operand, negated);
            if (choice == null) {
                rest.add(operand);
            } else {
                sets.merge(choice.identifier(), new TreeSet<>(choice.values()), join);
            }
        }
        sets.forEach((identifier, values) -> rest.add(condition(identifier, values, negated)));
        return rest;
    }

    private static @Nullable Choice choice(Condition operand, boolean negated) {
        Condition positive = operand;
        if (negated) {
            if (!(operand instanceof Not(Atom atom))) {
                return null;
            }
            positive = atom;
        }
        return switch (positive) {
            case Comparison(
                            Identifier identifier,
                            ComparisonOperator operator,
                            StringLiteral(String value))
                    when operator == ComparisonOperator.EQUAL ->
                    new Choice(identifier, List.of(value));
            case In(Identifier identifier, List<String> values) -> new Choice(identifier, values);
            default -> null;
        };
    }

    private static Condition condition(
            Identifier identifier, SortedSet<String> values, boolean negated) {
        if (values.isEmpty()) {
            return new BooleanLiteral(negated);
        }
        Atom atom =
                values.size() == 1
                        ? PlainEquality.equality(identifier, values.first())
                        : new In(identifier, List.copyOf(values));
        return negated ? new Not(atom) : atom;
    }
}
