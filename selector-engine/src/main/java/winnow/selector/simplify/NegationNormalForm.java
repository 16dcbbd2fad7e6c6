package winnow.selector.simplify;

import java.util.List;
import winnow.selector.expression.And;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.Not;
import winnow.selector.expression.NumberLiteral;
import winnow.selector.expression.Or;

/// Moves NOT down to the atoms. All equations hold for UNKNOWN:
///
/// ```
/// NOT (a AND b)     -> NOT a OR NOT b            NOT NOT a  -> a
/// NOT (a OR b)      -> NOT a AND NOT b           NOT TRUE   -> FALSE
/// v BETWEEN a AND b     -> v >= a AND v <= b     unless v is a name and a and b are numbers
/// v NOT BETWEEN a AND b -> v < a OR v > b
/// ```
///
/// Then every atom is UNKNOWN exactly if one of its names is missing, IS NULL apart. It does not go
/// into atoms: `NOT (x > 2)` is not `x <= 2`, because for a string the first is TRUE and the second
/// FALSE.
final class NegationNormalForm {

    private NegationNormalForm() {}

    static Condition of(Condition condition) {
        return form(condition, false);
    }

    private static Condition form(Condition condition, boolean negated) {
        if (!negated && condition instanceof Comparison) {
            // Most are. A switch with record patterns would test for them late.
            return condition;
        }
        return switch (condition) {
            case And(List<Condition> operands) -> join(condition, operands, negated, !negated);
            case Or(List<Condition> operands) -> join(condition, operands, negated, negated);
            case Not(Condition operand) -> form(operand, !negated);
            case BooleanLiteral(boolean value) -> new BooleanLiteral(value != negated);
            case Between between when between.negated() -> form(outside(between), negated);
            case Between between when !isPlain(between) -> form(inside(between), negated);
            case Atom atom -> negated ? new Not(atom) : atom;
        };
    }

    private static boolean isPlain(Between between) {
        return between.value() instanceof Identifier
                && between.low() instanceof NumberLiteral
                && between.high() instanceof NumberLiteral;
    }

    private static Condition inside(Between between) {
        return new And(
                List.of(
                        new Comparison(
                                between.value(),
                                ComparisonOperator.GREATER_OR_EQUAL,
                                between.low()),
                        new Comparison(
                                between.value(),
                                ComparisonOperator.LESS_OR_EQUAL,
                                between.high())));
    }

    private static Condition outside(Between between) {
        return new Or(
                List.of(
                        new Comparison(between.value(), ComparisonOperator.LESS, between.low()),
                        new Comparison(
                                between.value(), ComparisonOperator.GREATER, between.high())));
    }

    @SuppressWarnings("ReferenceEquality") // What has its form already is returned as it is.
    private static Condition join(
            Condition junction, List<Condition> operands, boolean negated, boolean and) {
        List<Condition> forms = CanonicalForm.replaced(operands, operand -> form(operand, negated));
        if (forms == operands && !negated) {
            return junction;
        }
        return and ? new And(forms) : new Or(forms);
    }
}
