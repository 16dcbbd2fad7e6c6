package winnow.selector.simplify;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.ArithmeticOperator;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.Condition;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.FloatLiteral;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.Literal;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.Not;
import winnow.selector.expression.NumberLiteral;
import winnow.selector.expression.Operand;
import winnow.selector.expression.Signed;

/// `x > 2 * 50 -> x > 100`, `x = 7 / 2 -> x = 3`, `2 * 3 * x > 1 -> 6 * x > 1`: arithmetic on
/// literals, calculated as it would be for each message, from left to right. Holds for UNKNOWN.
///
/// Expressions whose result has no literal stay: a whole number divided by 0, an infinite result,
/// and NaN. So does `x * 2 * 50`, because `x * 100` may round or wrap otherwise.
final class FoldArithmetic implements RewriteRule {

    @Override
    public Condition apply(Condition node) {
        return switch (node) {
            case Not(Comparison comparison) when isCalculated(comparison) ->
                    new Not(folded(comparison));
            case Comparison comparison when isCalculated(comparison) -> folded(comparison);
            default -> node;
        };
    }

    private static boolean isCalculated(Comparison comparison) {
        return isCalculated(comparison.left()) || isCalculated(comparison.right());
    }

    private static boolean isCalculated(Operand operand) {
        return operand instanceof Arithmetic || operand instanceof Signed;
    }

    private static Comparison folded(Comparison comparison) {
        return new Comparison(
                folded(comparison.left()), comparison.operator(), folded(comparison.right()));
    }

    private static Operand folded(Operand operand) {
        return switch (operand) {
            case Identifier identifier -> identifier;
            case Literal literal -> literal;
            case Signed(var sign, Operand inner) -> Signed.of(sign, folded(inner));
            case Arithmetic(Operand first, List<Arithmetic.Step> steps) ->
                    folded(folded(first), steps);
        };
    }

    /// In a loop and not by recursion: a chain may have thousands of steps.
    private static Operand folded(Operand first, List<Arithmetic.Step> steps) {
        Operand result = first;
        List<Arithmetic.Step> rest = new ArrayList<>();
        for (Arithmetic.Step step : steps) {
            Operand operand = folded(step.operand());
            NumberLiteral value =
                    rest.isEmpty()
                                    && result instanceof NumberLiteral left
                                    && operand instanceof NumberLiteral right
                            ? value(left, step.operator(), right)
                            : null;
            if (value == null) {
                rest.add(new Arithmetic.Step(step.operator(), operand));
            } else {
                result = value;
            }
        }
        return rest.isEmpty() ? result : new Arithmetic(result, rest);
    }

    private static @Nullable NumberLiteral value(
            NumberLiteral left, ArithmeticOperator operator, NumberLiteral right) {
        if (left instanceof LongLiteral(long a) && right instanceof LongLiteral(long b)) {
            boolean isDefined = b != 0 || operator != ArithmeticOperator.DIVIDE;
            return isDefined ? new LongLiteral(operator.apply(a, b)) : null;
        }
        if (left instanceof DoubleLiteral || right instanceof DoubleLiteral) {
            double value = operator.apply(toDouble(left), toDouble(right));
            return Double.isFinite(value) ? new DoubleLiteral(value) : null;
        }
        float value = operator.apply(toFloat(left), toFloat(right));
        return Float.isFinite(value) ? new FloatLiteral(value) : null;
    }

    private static double toDouble(NumberLiteral literal) {
        return switch (literal) {
            case LongLiteral(long value) -> (double) value;
            case FloatLiteral(float value) -> value;
            case DoubleLiteral(double value) -> value;
        };
    }

    /// Of a literal that is not a double.
    private static float toFloat(NumberLiteral literal) {
        return literal instanceof LongLiteral(long value)
                ? (float) value
                : (float) toDouble(literal);
    }
}
