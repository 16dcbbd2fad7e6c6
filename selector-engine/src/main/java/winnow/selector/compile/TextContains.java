package winnow.selector.compile;

import winnow.selector.slot.SlotValues;

/// `T(identifier LIKE '%part%')`
final class TextContains extends Predicate {

    private final int slot;
    private final FloatingPart part;

    TextContains(int slot, FloatingPart part) {
        this.slot = slot;
        this.part = part;
    }

    @Override
    public boolean test(SlotValues values) {
        if (values.kind(slot) != SlotValues.STRING) {
            return false;
        }
        int start = values.textOffset(slot);
        int end = start + values.textLength(slot);
        return part.endOfFirst(values.text(slot), start, end, values.scratch()) >= 0;
    }
}
