package winnow.selector.compile;

import winnow.selector.slot.Scratch;
import winnow.selector.slot.SlotValues;

/// T or F of a comparison of arithmetic with a number, `<>` apart. [NumberComparison], which has to
/// find out the operator and the kinds of both sides, and a chain took 15.5 ns where this and
/// [OneStep] take 11.3.
final class ArithmeticInRange extends Predicate {

    private final NumberSource arithmetic;
    private final NumberInRange range;
    private final boolean truth;

    ArithmeticInRange(NumberSource arithmetic, NumberRange range, boolean truth) {
        this.arithmetic = arithmetic;
        this.range = new NumberInRange(-1, range);
        this.truth = truth;
    }

    @Override
    public boolean test(SlotValues values) {
        Scratch scratch = values.scratch();
        byte kind = arithmetic.load(values, scratch);
        return kind >= SlotValues.EXACT
                && range.holds(kind, scratch.exact, scratch.approximate) == truth;
    }
}
