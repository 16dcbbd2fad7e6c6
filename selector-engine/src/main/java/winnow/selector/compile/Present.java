package winnow.selector.compile;

import winnow.selector.slot.SlotValues;

/// `identifier IS NOT NULL`
final class Present extends Predicate {

    private final int slot;

    Present(int slot) {
        this.slot = slot;
    }

    @Override
    public boolean test(SlotValues values) {
        return values.isPresent(slot);
    }

    @Override
    Shape shape() {
        return new Shape.KindIs(slot, SlotValues.MISSING, false);
    }
}
