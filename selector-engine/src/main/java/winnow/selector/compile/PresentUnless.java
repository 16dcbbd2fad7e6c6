package winnow.selector.compile;

import winnow.selector.slot.SlotValues;

/// `F(atom) = present & !T(atom)`, for every atom that is UNKNOWN exactly if its one slot is
/// missing.
final class PresentUnless extends Predicate {

    private final int slot;
    private final Predicate whenTrue;

    PresentUnless(int slot, Predicate whenTrue) {
        this.slot = slot;
        this.whenTrue = whenTrue;
    }

    @Override
    public boolean test(SlotValues values) {
        return values.isPresent(slot) && !whenTrue.test(values);
    }

    @Override
    Shape shape() {
        return new Shape.PresentUnless(slot, whenTrue.shape());
    }
}
