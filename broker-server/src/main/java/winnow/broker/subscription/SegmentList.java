package winnow.broker.subscription;

import org.jspecify.annotations.Nullable;

/// Segments in the order in which they were added, each in one list at most: the list is in the
/// segments. Owned by its loop's [WaitingMessages].
final class SegmentList {
    private @Nullable Segment first;
    private @Nullable Segment last;

    /// The segment that [#turn] returns next, null for the first.
    private @Nullable Segment turn;

    @Nullable Segment first() {
        return first;
    }

    void add(Segment segment) {
        Segment before = last;
        segment.previous = before;
        last = segment;
        if (before == null) {
            first = segment;
        } else {
            before.next = segment;
        }
    }

    /// Takes a segment out that is in this list.
    void remove(Segment segment) {
        Segment before = segment.previous;
        Segment behind = segment.next;
        if (before == null) {
            first = behind;
        } else {
            before.next = behind;
        }
        if (behind == null) {
            last = before;
        } else {
            behind.previous = before;
        }
        if (turn == segment) {
            turn = behind;
        }
        segment.previous = null;
        segment.next = null;
    }

    /// One segment after the other, again and again; null if there is none.
    @Nullable Segment turn() {
        Segment found = turn == null ? first : turn;
        turn = found == null ? null : found.next;
        return found;
    }
}
