package winnow.selector.compile;

import winnow.selector.SlotValues;

/// `T(identifier <> number)`: FALSE for what is not a number, TRUE for NaN.
final class NumberDiffers extends Predicate {

    private final int slot;
    private final NumberRange range;

    NumberDiffers(int slot, NumberRange range) {
        this.slot = slot;
        this.range = range;
    }

    @Override
    public boolean test(SlotValues values) {
        return values.kind(slot) >= SlotValues.EXACT && !range.contains(values, slot);
    }
}
