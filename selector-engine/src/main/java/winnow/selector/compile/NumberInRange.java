package winnow.selector.compile;

import winnow.selector.SlotValues;

/// `T(identifier op number)` for every operator but `<>`, and BETWEEN.
final class NumberInRange extends Predicate {

    private final int slot;
    private final NumberRange range;

    NumberInRange(int slot, NumberRange range) {
        this.slot = slot;
        this.range = range;
    }

    @Override
    public boolean test(SlotValues values) {
        return range.contains(values, slot);
    }
}
