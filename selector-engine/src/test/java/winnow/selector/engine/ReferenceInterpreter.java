package winnow.selector.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.And;
import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.ArithmeticOperator;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.FloatLiteral;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.IsNull;
import winnow.selector.expression.Like;
import winnow.selector.expression.LikePattern;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.Not;
import winnow.selector.expression.Operand;
import winnow.selector.expression.Or;
import winnow.selector.expression.Sign;
import winnow.selector.expression.Signed;
import winnow.selector.expression.StringLiteral;
import winnow.selector.expression.SuffixRange;
import winnow.selector.expression.Truth;

/// The oracle: three-valued logic over a map of boxed values, written to be obviously right and not
/// to be fast. It shares the expression records with the code under test and nothing else.
public final class ReferenceInterpreter {

    private final Map<String, Object> message;

    public ReferenceInterpreter(Map<String, Object> message) {
        this.message = message;
    }

    public Truth evaluate(Condition condition) {
        return switch (condition) {
            case And(List<Condition> operands) -> {
                Truth result = Truth.TRUE;
                for (Condition operand : operands) {
                    result = kleeneAnd(result, evaluate(operand));
                }
                yield result;
            }
            case Or(List<Condition> operands) -> {
                Truth result = Truth.FALSE;
                for (Condition operand : operands) {
                    result = kleeneNot(kleeneAnd(kleeneNot(result), kleeneNot(evaluate(operand))));
                }
                yield result;
            }
            case Not(Condition operand) -> kleeneNot(evaluate(operand));
            case BooleanLiteral(boolean value) -> truth(value);
            case Identifier(String name) -> {
                Object value = message.get(name);
                yield value == null ? Truth.UNKNOWN : truth(Boolean.TRUE.equals(value));
            }
            case IsNull(Identifier(String name)) -> truth(message.get(name) == null);
            case In(Identifier(String name), List<String> values) -> {
                Object value = message.get(name);
                yield value == null ? Truth.UNKNOWN : truth(values.contains(value));
            }
            case Like(Identifier(String name), LikePattern pattern) -> {
                Object value = message.get(name);
                if (value == null) {
                    yield Truth.UNKNOWN;
                }
                yield truth(value instanceof String text && like(text, pattern));
            }
            case SuffixRange range -> suffixRange(range);
            case Comparison(Operand left, ComparisonOperator operator, Operand right) ->
                    compare(value(left), operator, value(right));
            case Between(Operand value, Operand low, Operand high, boolean negated) -> {
                Object tested = value(value);
                Truth atLeast = compare(tested, ComparisonOperator.GREATER_OR_EQUAL, value(low));
                Truth atMost = compare(tested, ComparisonOperator.LESS_OR_EQUAL, value(high));
                Truth below = compare(tested, ComparisonOperator.LESS, value(low));
                Truth above = compare(tested, ComparisonOperator.GREATER, value(high));
                yield negated
                        ? kleeneNot(kleeneAnd(kleeneNot(below), kleeneNot(above)))
                        : kleeneAnd(atLeast, atMost);
            }
        };
    }

    private static Truth kleeneAnd(Truth a, Truth b) {
        if (a == Truth.FALSE || b == Truth.FALSE) {
            return Truth.FALSE;
        }
        return a == Truth.TRUE && b == Truth.TRUE ? Truth.TRUE : Truth.UNKNOWN;
    }

    private static Truth kleeneNot(Truth a) {
        return a == Truth.UNKNOWN ? a : a == Truth.TRUE ? Truth.FALSE : Truth.TRUE;
    }

    private static Truth truth(boolean value) {
        return value ? Truth.TRUE : Truth.FALSE;
    }

    private Truth suffixRange(SuffixRange range) {
        Object value = message.get(range.identifier().name());
        if (value == null) {
            return Truth.UNKNOWN;
        }
        if (!(value instanceof String text) || !text.startsWith(range.prefix())) {
            return Truth.FALSE;
        }
        String digits = text.substring(range.prefix().length());
        boolean form =
                range.width() == 0
                        ? digits.matches("0|[1-9][0-9]*")
                        : digits.matches("[0-9]{" + range.width() + "}");
        if (!form) {
            return Truth.FALSE;
        }
        var number = new java.math.BigInteger(digits);
        boolean atLeast = number.compareTo(java.math.BigInteger.valueOf(range.low())) >= 0;
        boolean atMost =
                range.high() == SuffixRange.UNBOUNDED
                        || number.compareTo(java.math.BigInteger.valueOf(range.high())) <= 0;
        return truth(atLeast && atMost);
    }

    /// The value as Integer, Long, Float, Double, Boolean, String, some other object, or null.
    private @Nullable Object value(Operand operand) {
        return switch (operand) {
            case LongLiteral(long value) -> value;
            case FloatLiteral(float value) -> value;
            case DoubleLiteral(double value) -> value;
            case StringLiteral(String value) -> value;
            case BooleanLiteral(boolean value) -> value;
            case Identifier(String name) -> {
                Object value = message.get(name);
                yield value instanceof Byte || value instanceof Short
                        ? (Object) ((Number) value).intValue()
                        : value;
            }
            case Signed(Sign sign, Operand inner) ->
                    switch (value(inner)) {
                        case Integer i -> (Object) (sign == Sign.MINUS ? -i : i);
                        case Long l -> (Object) (sign == Sign.MINUS ? -l : l);
                        case Float f -> (Object) (sign == Sign.MINUS ? -f : f);
                        case Double d -> (Object) (sign == Sign.MINUS ? -d : d);
                        case null, default -> null;
                    };
            case Arithmetic(Operand first, List<Arithmetic.Step> steps) -> {
                Object result = value(first);
                for (Arithmetic.Step step : steps) {
                    result = apply(result, step.operator(), value(step.operand()));
                }
                yield result;
            }
        };
    }

    private static @Nullable Object apply(
            @Nullable Object left, ArithmeticOperator operator, @Nullable Object right) {
        if (!(left instanceof Number a) || !(right instanceof Number b)) {
            return null;
        }
        if (a instanceof Double || b instanceof Double) {
            double x = a.doubleValue();
            double y = b.doubleValue();
            return switch (operator) {
                case ADD -> x + y;
                case SUBTRACT -> x - y;
                case MULTIPLY -> x * y;
                case DIVIDE -> x / y;
            };
        }
        if (a instanceof Float || b instanceof Float) {
            float x = a.floatValue();
            float y = b.floatValue();
            return switch (operator) {
                case ADD -> x + y;
                case SUBTRACT -> x - y;
                case MULTIPLY -> x * y;
                case DIVIDE -> x / y;
            };
        }
        if (a instanceof Integer && b instanceof Integer) {
            int x = a.intValue();
            int y = b.intValue();
            return switch (operator) {
                case ADD -> x + y;
                case SUBTRACT -> x - y;
                case MULTIPLY -> x * y;
                case DIVIDE -> y == 0 ? null : (Object) (x / y);
            };
        }
        long x = a.longValue();
        long y = b.longValue();
        return switch (operator) {
            case ADD -> x + y;
            case SUBTRACT -> x - y;
            case MULTIPLY -> x * y;
            case DIVIDE -> y == 0 ? null : (Object) (x / y);
        };
    }

    private static Truth compare(
            @Nullable Object left, ComparisonOperator operator, @Nullable Object right) {
        if (left == null || right == null) {
            return Truth.UNKNOWN;
        }
        if (left instanceof Number a && right instanceof Number b) {
            return truth(compareNumbers(a, operator, b));
        }
        boolean alike =
                (left instanceof String && right instanceof String)
                        || (left instanceof Boolean && right instanceof Boolean);
        return truth(
                alike
                        && ((operator == ComparisonOperator.EQUAL && left.equals(right))
                                || (operator == ComparisonOperator.NOT_EQUAL
                                        && !left.equals(right))));
    }

    private static boolean compareNumbers(Number a, ComparisonOperator operator, Number b) {
        boolean less;
        boolean equal;
        boolean greater;
        if (a instanceof Double || b instanceof Double) {
            less = a.doubleValue() < b.doubleValue();
            equal = a.doubleValue() == b.doubleValue();
            greater = a.doubleValue() > b.doubleValue();
        } else if (a instanceof Float || b instanceof Float) {
            less = a.floatValue() < b.floatValue();
            equal = a.floatValue() == b.floatValue();
            greater = a.floatValue() > b.floatValue();
        } else {
            less = a.longValue() < b.longValue();
            equal = a.longValue() == b.longValue();
            greater = a.longValue() > b.longValue();
        }
        return switch (operator) {
            case EQUAL -> equal;
            case NOT_EQUAL -> !equal;
            case LESS -> less;
            case LESS_OR_EQUAL -> less || equal;
            case GREATER -> greater;
            case GREATER_OR_EQUAL -> greater || equal;
        };
    }

    /// `matches[j]`: the pattern read so far accepts the first j code points.
    private static boolean like(String text, LikePattern pattern) {
        int[] value = text.codePoints().toArray();
        boolean[] matches = new boolean[value.length + 1];
        matches[0] = true;
        List<Integer> elements = new ArrayList<>();
        int[] codePoints = pattern.text().codePoints().toArray();
        for (int i = 0; i < codePoints.length; i++) {
            boolean escaped = codePoints[i] == LikePattern.ESCAPE;
            boolean wild = !escaped && (codePoints[i] == '%' || codePoints[i] == '_');
            elements.add(wild ? -codePoints[i] : codePoints[escaped ? ++i : i]);
        }
        for (int element : elements) {
            boolean[] next = new boolean[value.length + 1];
            for (int j = 0; j <= value.length; j++) {
                if (element == -'%') {
                    next[j] = matches[j] || (j > 0 && next[j - 1]);
                } else {
                    boolean accepts = j > 0 && (element == -'_' || element == value[j - 1]);
                    next[j] = accepts && matches[j - 1];
                }
            }
            matches = next;
        }
        return matches[value.length];
    }
}
