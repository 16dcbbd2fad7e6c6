package winnow.selector.compile;

import winnow.selector.slot.Scratch;
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
        int length = values.textLength(slot);
        Scratch scratch = values.scratch();
        int after = part.endOfFirst(values.text(slot), start, start + length, scratch);
        scratch.scannedBytes += (long) part.passes() * (after < 0 ? length : after - start);
        return after >= 0;
    }
}
