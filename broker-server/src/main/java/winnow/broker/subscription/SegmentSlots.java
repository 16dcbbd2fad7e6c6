package winnow.broker.subscription;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The segments of a loop by their numbers, which are used again. Owned by its loop's
/// [WaitingMessages].
final class SegmentSlots {
    private @Nullable Segment[] segments = new @Nullable Segment[16];
    private int[] free = new int[16];
    private int freeCount;
    private int count;

    /// A number for a segment, which [#put] must follow.
    int take() {
        int slot = freeCount > 0 ? free[--freeCount] : count++;
        if (slot == segments.length) {
            segments = Arrays.copyOf(segments, 2 * slot);
        }
        return slot;
    }

    void put(Segment segment) {
        segments[segment.slot] = segment;
    }

    void give(Segment segment) {
        segments[segment.slot] = null;
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = segment.slot;
    }

    Segment get(int slot) {
        Segment segment = segments[slot];
        if (segment == null) {
            throw new IllegalStateException("no segment " + slot);
        }
        return segment;
    }

    void forEach(Consumer<Segment> action) {
        for (int i = 0; i < count; i++) {
            Segment segment = segments[i];
            if (segment != null) {
                action.accept(segment);
            }
        }
    }
}
