package winnow.selector.compile;

import winnow.selector.slot.SlotValues;

/// `identifier IS NULL`
final class Missing extends Predicate {

    private final int slot;

    Missing(int slot) {
        this.slot = slot;
    }

    @Override
    public boolean test(SlotValues values) {
        return !values.isPresent(slot);
    }

    @Override
    Shape shape() {
        return new Shape.KindIs(slot, SlotValues.MISSING, true);
    }
}
