package winnow.selector.compile;

import java.util.List;
import winnow.selector.expression.ArithmeticOperator;
import winnow.selector.expression.BooleanLiteral;
import winnow.selector.expression.DoubleLiteral;
import winnow.selector.expression.FloatLiteral;
import winnow.selector.expression.Literal;
import winnow.selector.expression.LongLiteral;
import winnow.selector.expression.Sign;
import winnow.selector.expression.StringLiteral;
import winnow.selector.slot.Scratch;
import winnow.selector.slot.SlotValues;

/// An operand of arithmetic or of a comparison with arithmetic. Immutable.
abstract class NumberSource {

    /// Puts the value into the scratch and returns its kind: EXACT, FLOAT or DOUBLE for a number,
    /// MISSING for NULL, any other kind for a value that is not a number.
    abstract byte load(SlotValues values, Scratch scratch);

    /// The exact result as its type holds it: int and long wrap around.
    private static long exact(long result, boolean isInt) {
        return isInt ? (int) result : result;
    }

    static NumberSource of(Literal literal) {
        return switch (literal) {
            case LongLiteral(long value) -> new OfConstant(SlotValues.EXACT, value, 0);
            case FloatLiteral(float value) -> new OfConstant(SlotValues.FLOAT, 0, value);
            case DoubleLiteral(double value) -> new OfConstant(SlotValues.DOUBLE, 0, value);
            case StringLiteral _ -> new OfConstant(SlotValues.STRING, 0, 0);
            case BooleanLiteral _ -> new OfConstant(SlotValues.TRUE, 0, 0);
        };
    }

    /// A literal. Of a string or boolean only the kind matters here: it is unlike any number.
    static final class OfConstant extends NumberSource {

        final byte kind;
        final long exact;
        final double approximate;

        OfConstant(byte kind, long exact, double approximate) {
            this.kind = kind;
            this.exact = exact;
            this.approximate = approximate;
        }

        @Override
        byte load(SlotValues values, Scratch scratch) {
            scratch.exact = exact;
            scratch.isInt = false;
            scratch.approximate = approximate;
            return kind;
        }
    }

    /// A property or header field.
    static final class OfSlot extends NumberSource {

        final int slot;

        OfSlot(int slot) {
            this.slot = slot;
        }

        @Override
        byte load(SlotValues values, Scratch scratch) {
            byte kind = values.kind(slot);
            if (kind == SlotValues.EXACT) {
                scratch.exact = values.exact(slot);
                scratch.isInt = values.isInt(slot);
            } else if (kind > SlotValues.EXACT) {
                scratch.approximate = values.approximate(slot);
            }
            return kind;
        }
    }

    /// Unary plus and minus: NULL for what is not a number.
    static final class OfSign extends NumberSource {

        private final Sign sign;
        private final NumberSource operand;

        OfSign(Sign sign, NumberSource operand) {
            this.sign = sign;
            this.operand = operand;
        }

        @Override
        byte load(SlotValues values, Scratch scratch) {
            byte kind = operand.load(values, scratch);
            if (kind < SlotValues.EXACT) {
                return SlotValues.MISSING;
            }
            if (sign == Sign.MINUS) {
                scratch.exact = exact(-scratch.exact, scratch.isInt);
                scratch.approximate = -scratch.approximate;
            }
            return kind;
        }
    }

    /// Operators of one precedence from left to right: NULL if an operand is not a number or an
    /// exact division is by zero.
    static final class OfChain extends NumberSource {

        private final NumberSource first;
        private final ArithmeticOperator[] operators;
        private final NumberSource[] operands;

        OfChain(
                NumberSource first,
                List<ArithmeticOperator> operators,
                List<NumberSource> operands) {
            this.first = first;
            this.operators = operators.toArray(ArithmeticOperator[]::new);
            this.operands = operands.toArray(NumberSource[]::new);
        }

        @Override
        byte load(SlotValues values, Scratch scratch) {
            byte kind = first.load(values, scratch);
            for (int i = 0; i < operands.length && kind >= SlotValues.EXACT; i++) {
                long exact = scratch.exact;
                boolean isInt = scratch.isInt;
                double approximate = scratch.approximate;
                byte next = operands[i].load(values, scratch);
                scratch.isInt &= isInt;
                kind = apply(operators[i], kind, exact, approximate, next, scratch);
            }
            return kind < SlotValues.EXACT ? SlotValues.MISSING : kind;
        }

        /// `left operator scratch -> scratch`
        private static byte apply(
                ArithmeticOperator operator,
                byte leftKind,
                long leftExact,
                double leftApproximate,
                byte rightKind,
                Scratch scratch) {
            if (rightKind < SlotValues.EXACT) {
                return SlotValues.MISSING;
            }
            if (leftKind == SlotValues.EXACT && rightKind == SlotValues.EXACT) {
                if (operator == ArithmeticOperator.DIVIDE && scratch.exact == 0) {
                    return SlotValues.MISSING;
                }
                scratch.exact = exact(operator.apply(leftExact, scratch.exact), scratch.isInt);
                return SlotValues.EXACT;
            }
            boolean asDouble = leftKind == SlotValues.DOUBLE || rightKind == SlotValues.DOUBLE;
            double left =
                    leftKind == SlotValues.EXACT
                            ? Scratch.widen(leftExact, asDouble)
                            : leftApproximate;
            double right =
                    rightKind == SlotValues.EXACT
                            ? Scratch.widen(scratch.exact, asDouble)
                            : scratch.approximate;
            scratch.approximate =
                    asDouble
                            ? operator.apply(left, right)
                            : operator.apply((float) left, (float) right);
            return asDouble ? SlotValues.DOUBLE : SlotValues.FLOAT;
        }
    }
}
