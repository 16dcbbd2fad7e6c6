package winnow.tests.selector;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import winnow.selector.expression.And;
import winnow.selector.expression.Arithmetic;
import winnow.selector.expression.ArithmeticOperator;
import winnow.selector.expression.Atom;
import winnow.selector.expression.Between;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.Comparison;
import winnow.selector.expression.ComparisonOperator;
import winnow.selector.expression.Condition;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.FloatLiteral;
import winnow.selector.expression.Identifier;
import winnow.selector.expression.In;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.Not;
import winnow.selector.expression.Operand;
import winnow.selector.expression.Or;
import winnow.selector.expression.Sign;
import winnow.selector.expression.Signed;
import winnow.selector.expression.StringLiteral;
import winnow.selector.expression.Truth;

/// What a peer answers by its own rules: its types of numbers, its promotion and division, its
/// order of NaN and -0.0, its failures. Written after the behaviour of Artemis 2.56, ActiveMQ
/// Classic 6.3 and Qpid Broker-J 9.2, which have one ancestor and differ in the three components.
/// Immutable.
///
/// @param missingLeftIsFalse whether `=` with nothing on the left and a value on the right is FALSE
///   instead of UNKNOWN
/// @param doubleToFloat whether a float on the right of a double is turned into another float,
///   which cannot be compared with a double
/// @param stopsAtUnknown whether AND and OR end with an operand that decides nothing or is UNKNOWN
///   on the left, instead of following the tables
record PeerRules(boolean missingLeftIsFalse, boolean doubleToFloat, boolean stopsAtUnknown) {

    /// The evaluation ends with an exception.
    private static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /// What a peer says, and whether it failed while it was asked.
    record Answer(Truth truth, boolean failed) {}

    private interface Leaves extends Function<Atom, Truth> {}

    static PeerRules of(String peer) {
        return switch (peer) {
            case "Artemis' expression" -> new PeerRules(false, false, false);
            case "Classic" -> new PeerRules(false, true, false);
            case "Qpid" -> new PeerRules(true, false, true);
            default -> throw new IllegalArgumentException("no rules of " + peer);
        };
    }

    /// True if there are rules for an atom: the others have no known difference.
    static boolean know(Atom atom) {
        return atom instanceof Comparison || atom instanceof Between || atom instanceof In;
    }

    /// The answer to an atom or its NOT, of those that there are rules for.
    Answer answer(Condition leaf, Map<String, Object> message) {
        return ask(leaf, atom -> evaluate(atom, message));
    }

    /// The answer to a condition.
    ///
    /// @param others the peer's own answers to the atoms that there are no rules for, and their NOT
    Truth composed(Condition condition, Map<String, Object> message, Map<Condition, Truth> others) {
        Leaves leaves =
                atom -> {
                    if (know(atom)) {
                        return evaluate(atom, message);
                    }
                    Truth plain = others.get(atom);
                    return plain == null
                            ? Objects.requireNonNull(others.get(new Not(atom))).not()
                            : plain;
                };
        return ask(condition, leaves).truth;
    }

    /// As [PeerSelector] asks: for the condition, then for its NOT.
    private Answer ask(Condition condition, Leaves leaves) {
        boolean failed = false;
        try {
            if (matches(condition, leaves)) {
                return new Answer(Truth.TRUE, false);
            }
        } catch (Failure e) {
            failed = true;
        }
        try {
            Truth truth = evaluate(condition, leaves);
            return new Answer(truth == Truth.FALSE ? truth : Truth.UNKNOWN, failed);
        } catch (Failure e) {
            return new Answer(Truth.UNKNOWN, true);
        }
    }

    /// Where a peer looks for TRUE alone, UNKNOWN ends an AND like FALSE.
    private boolean matches(Condition condition, Leaves leaves) {
        if (stopsAtUnknown) {
            return evaluate(condition, leaves) == Truth.TRUE;
        }
        return switch (condition) {
            case And(List<Condition> operands) ->
                    operands.stream().allMatch(operand -> matches(operand, leaves));
            case Or(List<Condition> operands) ->
                    operands.stream().anyMatch(operand -> matches(operand, leaves));
            case Between between -> matches(comparisons(between), leaves);
            default -> evaluate(condition, leaves) == Truth.TRUE;
        };
    }

    private Truth evaluate(Condition condition, Leaves leaves) {
        return switch (condition) {
            case And(List<Condition> operands) -> joined(operands, Truth.FALSE, leaves);
            case Or(List<Condition> operands) -> joined(operands, Truth.TRUE, leaves);
            case Not(Condition operand) -> evaluate(operand, leaves).not();
            case Between between -> evaluate(comparisons(between), leaves);
            case Atom atom -> leaves.apply(atom);
        };
    }

    /// @param decisive the value of an operand that is that of the whole: FALSE for AND
    private Truth joined(List<Condition> operands, Truth decisive, Leaves leaves) {
        Truth result = decisive.not();
        for (Condition operand : operands) {
            if (stopsAtUnknown && decisive == Truth.FALSE && result == Truth.UNKNOWN) {
                return result;
            }
            Truth truth = evaluate(operand, leaves);
            if (truth == decisive) {
                return decisive;
            }
            result = stopsAtUnknown || truth == Truth.UNKNOWN ? truth : result;
        }
        return result;
    }

    /// A BETWEEN is two comparisons to all of them.
    private static Condition comparisons(Between between) {
        Operand value = between.value();
        return between.negated()
                ? new Or(
                        List.of(
                                new Comparison(value, ComparisonOperator.LESS, between.low()),
                                new Comparison(value, ComparisonOperator.GREATER, between.high())))
                : new And(
                        List.of(
                                new Comparison(
                                        value, ComparisonOperator.GREATER_OR_EQUAL, between.low()),
                                new Comparison(
                                        value, ComparisonOperator.LESS_OR_EQUAL, between.high())));
    }

    private Truth evaluate(Atom atom, Map<String, Object> message) {
        return switch (atom) {
            case Comparison(Operand left, var operator, Operand right) ->
                    operator.isOrdering()
                            ? ordered(left, operator, right, message)
                            : equal(left, operator, right, message);
            case In(Identifier(String name), List<String> values) ->
                    message.get(name) instanceof String text
                            ? Truth.of(values.contains(text))
                            : Truth.UNKNOWN;
            default -> throw new IllegalArgumentException("no rules for " + atom);
        };
    }

    private Truth equal(
            Operand leftSide,
            ComparisonOperator operator,
            Operand rightSide,
            Map<String, Object> message) {
        Object left = value(leftSide, message);
        Object right = value(rightSide, message);
        Truth equal;
        if (left == null && right != null) {
            equal = missingLeftIsFalse ? Truth.FALSE : Truth.UNKNOWN;
        } else if (left == null || right == null) {
            equal = Truth.of(left == null && right == null);
        } else {
            equal =
                    left.equals(right)
                            ? Truth.TRUE
                            : compare(left, ComparisonOperator.EQUAL, right);
        }
        return operator == ComparisonOperator.EQUAL ? equal : equal.not();
    }

    private Truth ordered(
            Operand leftSide,
            ComparisonOperator operator,
            Operand rightSide,
            Map<String, Object> message) {
        Object left = value(leftSide, message);
        if (left == null) {
            return Truth.UNKNOWN;
        }
        Object right = value(rightSide, message);
        return right == null ? Truth.UNKNOWN : compare(left, operator, right);
    }

    /// In the wider of two types of numbers, but a byte or short on the right is never widened.
    /// Other values of different types are not equal and have no order.
    private Truth compare(Object left, ComparisonOperator operator, Object right) {
        if (left.getClass() == right.getClass()) {
            return Truth.of(operator.test(order(left, right), 0));
        }
        if (!(left instanceof Number a) || !(right instanceof Number b)) {
            return Truth.FALSE;
        }
        if (width(a) < width(b)) {
            return Truth.of(operator.test(order(converted(a, b), b), 0));
        }
        if (b instanceof Byte || b instanceof Short) {
            return Truth.FALSE;
        }
        if (doubleToFloat && a instanceof Double && b instanceof Float) {
            throw new Failure();
        }
        return Truth.of(operator.test(order(a, converted(b, a)), 0));
    }

    /// The total order of a type: NaN equals itself and is above all, -0.0 is below 0.0.
    private static long order(Object left, Object right) {
        return switch (left) {
            case Byte a -> a.compareTo((Byte) right);
            case Short a -> a.compareTo((Short) right);
            case Integer a -> a.compareTo((Integer) right);
            case Long a -> a.compareTo((Long) right);
            case Float a -> a.compareTo((Float) right);
            case Double a -> a.compareTo((Double) right);
            case Boolean a -> a.compareTo((Boolean) right);
            case String a -> a.compareTo((String) right);
            default -> throw new IllegalArgumentException("no property: " + left);
        };
    }

    private static int width(Number number) {
        return switch (number) {
            case Byte _ -> 0;
            case Short _ -> 1;
            case Integer _ -> 2;
            case Long _ -> 3;
            case Float _ -> 4;
            default -> 5;
        };
    }

    private static Number converted(Number from, Number to) {
        return switch (to) {
            case Short _ -> from.shortValue();
            case Integer _ -> from.intValue();
            case Long _ -> from.longValue();
            case Float _ -> from.floatValue();
            default -> from.doubleValue();
        };
    }

    private @Nullable Object value(Operand operand, Map<String, Object> message) {
        return switch (operand) {
            case Identifier(String name) -> message.get(name);
            case LongLiteral(long value) -> literal(value);
            case FloatLiteral(float value) -> value;
            case DoubleLiteral(double value) -> value;
            case StringLiteral(String value) -> value;
            case BooleanLiteral(boolean value) -> value;
            case Signed(Sign sign, Operand inner) -> {
                Object value = value(inner, message);
                yield sign == Sign.PLUS ? value : negated(value);
            }
            case Arithmetic(Operand first, List<Arithmetic.Step> steps) -> {
                Object value = value(first, message);
                for (Arithmetic.Step step : steps) {
                    if (value != null) {
                        Object right = value(step.operand(), message);
                        value = right == null ? null : computed(value, step.operator(), right);
                    }
                }
                yield value;
            }
        };
    }

    /// An int if its digits are one, the sign apart.
    private static Number literal(long value) {
        return -Integer.MAX_VALUE <= value && value <= Integer.MAX_VALUE
                ? (Number) (int) value
                : (Number) value;
    }

    private static @Nullable Object negated(@Nullable Object value) {
        return switch (value) {
            case Integer number -> (Object) (-number);
            case Long number -> (Object) (-number);
            case Float number -> (Object) (-number);
            case Double number -> (Object) (-number);
            case Number _ -> throw new Failure();
            case null, default -> null;
        };
    }

    /// In int, long or double; always in double if divided. A string takes anything at its end.
    private static Object computed(Object left, ArithmeticOperator operator, Object right) {
        if (operator == ArithmeticOperator.ADD && left instanceof String text) {
            return text + right;
        }
        if (!(left instanceof Number a) || !(right instanceof Number b)) {
            throw new Failure();
        }
        boolean approximate = width(a) >= width(0f) || width(b) >= width(0f);
        if (approximate || operator == ArithmeticOperator.DIVIDE) {
            return operator.apply(a.doubleValue(), b.doubleValue());
        }
        long exact = operator.apply(a.longValue(), b.longValue());
        return a instanceof Long || b instanceof Long ? (Object) exact : (Object) (int) exact;
    }
}
