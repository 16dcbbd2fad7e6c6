package winnow.selector.compile;

import winnow.selector.expression.ArithmeticOperator;
import winnow.selector.slot.Scratch;
import winnow.selector.slot.SlotValues;

/// `identifier operator literal`, the usual arithmetic: straight code for an exact number with an
/// exact literal and for a double with any, and what a chain does for all else.
final class OneStep extends NumberSource {

    private final int slot;
    private final ArithmeticOperator operator;

    /// The kind of value for which the exact literal is used: EXACT, or none if the literal is not
    /// exact or divides by zero.
    private final byte exactKind;

    private final long exact;

    /// The literal as a double sees it.
    private final double approximate;

    /// The kind of value for which that is used: DOUBLE, or none if the literal is not a number.
    private final byte approximateKind;

    private final NumberSource chain;

    OneStep(OfSlot left, ArithmeticOperator operator, OfConstant right, NumberSource chain) {
        boolean isExact = right.kind == SlotValues.EXACT;
        boolean isZero = isExact && right.exact == 0;
        this.slot = left.slot;
        this.operator = operator;
        this.exact = right.exact;
        this.exactKind =
                isExact && !(isZero && operator == ArithmeticOperator.DIVIDE)
                        ? SlotValues.EXACT
                        : -1;
        this.approximate = isExact ? (double) right.exact : right.approximate;
        this.approximateKind = right.kind >= SlotValues.EXACT ? SlotValues.DOUBLE : -1;
        this.chain = chain;
    }

    @Override
    byte load(SlotValues values, Scratch scratch) {
        byte kind = values.kind(slot);
        if (kind == exactKind) {
            scratch.exact = operator.apply(values.exact(slot), exact);
            scratch.isInt = false;
            return kind;
        }
        if (kind == approximateKind) {
            scratch.approximate = operator.apply(values.approximate(slot), approximate);
            return kind;
        }
        return chain.load(values, scratch);
    }
}
