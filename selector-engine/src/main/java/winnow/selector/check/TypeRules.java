package winnow.selector.check;

import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.Expression;
import winnow.selector.expression.ExpressionPrinter;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.NumberLiteral;
import winnow.selector.expression.Operand;
import winnow.selector.expression.Signed;
import winnow.selector.expression.StringLiteral;

/// Which expression may stand where, as far as the text alone tells. What depends on the types in a
/// message is no error; it is FALSE or UNKNOWN for that message.
///
/// Comparing literals of different types (`'5' = 5`) is refused: it is FALSE for every message
/// (3.8.1.1: "only like type values can be compared"), so it is a mistake.
public final class TypeRules {

    private TypeRules() {}

    /// Operands of AND, OR, NOT, and the whole selector.
    public static Condition condition(Expression expression, Position position) {
        if (expression instanceof Condition condition) {
            return condition;
        }
        throw position.error("a condition", describe(expression));
    }

    /// Sides of a comparison.
    public static Operand comparable(
            Expression expression, ComparisonOperator operator, Position position) {
        if (expression instanceof Operand operand) {
            if (operator.isOrdering() && isStringOrBoolean(operand)) {
                // 3.8.1.2: "String and boolean comparison is restricted to = and <>."
                throw position.error(
                        "a number to compare with '" + operator.symbol() + "'", describe(operand));
            }
            return operand;
        }
        throw position.error(
                "a value to compare with '" + operator.symbol() + "'", describe(expression));
    }

    /// Both sides of a comparison.
    ///
    /// @param position of the right one
    public static void requireAlike(Operand left, Operand right, Position position) {
        if (!areAlike(left, right)) {
            throw position.error(
                    "a %s to compare with %s".formatted(typeOf(left), describe(left)),
                    describe(right));
        }
    }

    /// True if two operands are no literals of different types.
    public static boolean areAlike(Operand left, Operand right) {
        String leftType = typeOf(left);
        String rightType = typeOf(right);
        return leftType.isEmpty() || rightType.isEmpty() || leftType.equals(rightType);
    }

    /// The type of a literal, empty for what depends on the message.
    private static String typeOf(Operand operand) {
        return switch (operand) {
            case StringLiteral _ -> "string";
            case BooleanLiteral _ -> "boolean";
            case NumberLiteral _ -> "number";
            case Arithmetic _, Signed _, Identifier _ -> "";
        };
    }

    /// Operands of arithmetic and of BETWEEN.
    public static Operand number(Expression expression, String operator, Position position) {
        if (expression instanceof Operand operand && !isStringOrBoolean(operand)) {
            return operand;
        }
        throw position.error("a number for '" + operator + "'", describe(expression));
    }

    /// Left side of IN, LIKE and IS NULL.
    public static Identifier identifier(Expression expression, String operator, Position position) {
        if (expression instanceof Identifier identifier) {
            return identifier;
        }
        throw position.error("an identifier before '" + operator + "'", describe(expression));
    }

    private static boolean isStringOrBoolean(Operand operand) {
        return operand instanceof StringLiteral || operand instanceof BooleanLiteral;
    }

    private static String describe(Expression expression) {
        return switch (expression) {
            case StringLiteral _ -> "the string " + shortened(expression);
            case NumberLiteral _ -> "the number " + shortened(expression);
            case BooleanLiteral _ -> "the boolean " + shortened(expression);
            case Identifier _ -> "the identifier " + shortened(expression);
            case Arithmetic _, Signed _ -> "the arithmetic " + shortened(expression);
            case Condition _ -> "the condition " + shortened(expression);
        };
    }

    private static String shortened(Expression expression) {
        String text = ExpressionPrinter.print(expression);
        return text.length() <= 40 ? text : text.substring(0, 37) + "...";
    }
}
