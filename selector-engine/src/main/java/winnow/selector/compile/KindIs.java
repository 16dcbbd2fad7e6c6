package winnow.selector.compile;

import winnow.selector.slot.SlotValues;

/// The value is of one kind: serves boolean conditions, whose two values are kinds, and LIKE '%'.
final class KindIs extends Predicate {

    private final int slot;
    private final byte kind;

    KindIs(int slot, byte kind) {
        this.slot = slot;
        this.kind = kind;
    }

    @Override
    public boolean test(SlotValues values) {
        return values.kind(slot) == kind;
    }

    @Override
    Shape shape() {
        return new Shape.KindIs(slot, kind, true);
    }
}
