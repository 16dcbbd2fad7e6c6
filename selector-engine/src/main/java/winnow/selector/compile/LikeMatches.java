package winnow.selector.compile;

import org.jspecify.annotations.Nullable;
import winnow.selector.slot.Scratch;
import winnow.selector.slot.SlotValues;

/// T of a general LIKE: a head at the start, a tail at the end, and parts that float between them,
/// each taken at its leftmost place, which leaves most room for those after it and so needs no
/// backtracking. Linear in the value but for [WildPart].
final class LikeMatches extends Predicate {

    /// Less work on head and tail does not count: it takes 100 ns.
    private static final int SHORT = 64;

    private final int slot;
    private final AnchoredPart head;
    private final FloatingPart[] floating;

    /// Null if the pattern has no `%`: the head is then the whole string.
    private final @Nullable AnchoredPart tail;

    /// See [AnchoredPart#work].
    private final int anchoredWork;

    LikeMatches(int slot, AnchoredPart whole) {
        this.slot = slot;
        this.head = whole;
        this.floating = new FloatingPart[0];
        this.tail = null;
        this.anchoredWork = whole.work();
    }

    LikeMatches(int slot, AnchoredPart head, FloatingPart[] floating, AnchoredPart tail) {
        this.slot = slot;
        this.head = head;
        this.floating = floating;
        this.tail = tail;
        this.anchoredWork = head.work() + tail.work();
    }

    @Override
    public boolean test(SlotValues values) {
        if (values.kind(slot) != SlotValues.STRING) {
            return false;
        }
        byte[] text = values.text(slot);
        int start = values.textOffset(slot);
        int end = start + values.textLength(slot);
        Scratch scratch = values.scratch();
        if (anchoredWork > SHORT) {
            scratch.scannedBytes += Math.min(anchoredWork, end - start);
        }
        int position = head.matchForward(text, start, end);
        if (position < 0) {
            return false;
        }
        if (tail == null) {
            return position == end;
        }
        int tailStart = tail.startBackward(text, position, end);
        if (tailStart < 0 || tail.matchForward(text, tailStart, end) != end) {
            return false;
        }
        for (FloatingPart part : floating) {
            int after = part.endOfFirst(text, position, tailStart, scratch);
            scratch.scannedBytes +=
                    (long) part.passes() * ((after < 0 ? tailStart : after) - position);
            if (after < 0) {
                return false;
            }
            position = after;
        }
        return true;
    }
}
