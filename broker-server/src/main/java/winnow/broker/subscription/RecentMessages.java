package winnow.broker.subscription;

import org.jspecify.annotations.Nullable;

/// Places of the messages that were kept last, so that each is kept once although a batch is
/// delivered connection by connection. Messages of a batch have consecutive numbers, so that each
/// has a place of its own here. Owned by its loop's [WaitingMessages].
final class RecentMessages {
    /// No batch has more messages: half as many copies are delivered at once.
    private static final int COUNT = 4096;

    private final long[] numbers = new long[COUNT];
    private final @Nullable Segment[] segments = new @Nullable Segment[COUNT];
    private final int[] offsets = new int[COUNT];

    /// The segment that has the message, null if it is not known to be in one.
    @Nullable Segment segment(long message) {
        int index = index(message);
        Segment segment = segments[index];
        return segment == null || numbers[index] != message || segment.isGone() ? null : segment;
    }

    /// Offset of the message in its segment.
    int offset(long message) {
        return offsets[index(message)];
    }

    void put(long message, Segment segment, int offset) {
        int index = index(message);
        numbers[index] = message;
        segments[index] = segment;
        offsets[index] = offset;
    }

    private static int index(long message) {
        return (int) message & COUNT - 1;
    }
}
