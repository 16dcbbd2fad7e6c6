package winnow.selector.compile;

import winnow.selector.slot.SlotValues;

/// `T(identifier <> number)`: FALSE for what is not a number, TRUE for NaN.
final class NumberDiffers extends Predicate {

    private final int slot;
    private final NumberInRange equal;

    NumberDiffers(int slot, NumberRange range) {
        this.slot = slot;
        this.equal = new NumberInRange(slot, range);
    }

    @Override
    public boolean test(SlotValues values) {
        return values.kind(slot) >= SlotValues.EXACT && !equal.test(values);
    }
}
