package winnow.selector.compile;

import winnow.selector.slot.SlotValues;

/// Present, but no number that a range could hold: of another type, or NaN.
public final class NotANumber extends Predicate {

    private final int slot;

    NotANumber(int slot) {
        this.slot = slot;
    }

    @Override
    public boolean test(SlotValues values) {
        byte kind = values.kind(slot);
        return kind > SlotValues.EXACT
                ? Double.isNaN(values.approximate(slot))
                : kind != SlotValues.EXACT && kind != SlotValues.MISSING;
    }
}
