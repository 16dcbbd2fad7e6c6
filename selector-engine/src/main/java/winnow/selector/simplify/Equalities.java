package winnow.selector.simplify;

import java.util.ArrayList;
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

    private Equalities() {}

    /// True if two operands choose among strings for one name, so that [#joined] has something to
    /// do.
    static boolean mayJoin(List<Condition> operands, boolean negated) {
        return CanonicalForm.mayHave(
                operands,
                (a, b) -> {
                    Identifier name = chosen(a, negated);
                    return name != null && name.equals(chosen(b, negated));
                });
    }

    /// The name among whose strings an equality or IN chooses; null if the operand is neither.
    private static @Nullable Identifier chosen(Condition operand, boolean negated) {
        return switch (positive(operand, negated)) {
            case Comparison(Identifier identifier, var operator, StringLiteral _)
                    when operator == ComparisonOperator.EQUAL ->
                    identifier;
            case In in -> in.identifier();
            case null, default -> null;
        };
    }

    /// The strings that an operand accepts which has [#chosen].
    private static List<String> values(Condition operand, boolean negated) {
        return switch (positive(operand, negated)) {
            case Comparison(var _, var _, StringLiteral(String value)) -> List.of(value);
            case In in -> in.values();
            case null, default -> throw new IllegalArgumentException("no choice: " + operand);
        };
    }

    /// The operand, or, if those under NOT count, what is under its NOT; null if it has none.
    private static @Nullable Condition positive(Condition operand, boolean negated) {
        if (!negated) {
            return operand;
        }
        return operand instanceof Not(Atom atom) ? atom : null;
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
            Identifier name = chosen(operand, negated);
            if (name == null) {
                rest.add(operand);
            } else {
                sets.merge(name, new TreeSet<>(values(operand, negated)), join);
            }
        }
        sets.forEach((identifier, values) -> rest.add(condition(identifier, values, negated)));
        return rest;
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
