package winnow.broker.session;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.wire.DeliveryRanges;
import winnow.wire.FrameSink;
import winnow.wire.FrameSplitter;
import winnow.wire.FrameType;
import winnow.wire.WireReader;

/// A frame with many delivery ids that came while commands took too much memory: as it came, it has
/// an eighth of what its ids take when they are read. Nothing behind it is read before there is
/// room. Owned by the connection's event loop.
final class HeldFrame {
    /// Shorter frames do not wait.
    private static final int SMALL_BYTES = 1024;

    /// Of a range in a frame, at least.
    private static final int RANGE_FRAME_BYTES = 2;

    private static final int RANGE_HEAP_BYTES = 2 * Long.BYTES;

    private final StorageCommands commands;
    private final ReadingPauses pauses;
    private final FrameSink sink;
    private final WireReader reader = new WireReader();
    private int type;

    /// Written by the loop.
    private volatile byte @Nullable [] frame;

    private int from;
    private int to;

    /// @param sink takes the frame in the end
    HeldFrame(StorageCommands commands, ReadingPauses pauses, FrameSink sink) {
        this.commands = commands;
        commands.holdsBack(this);
        this.pauses = pauses;
        this.sink = sink;
    }

    /// True if there is such a frame. Any thread.
    boolean isHolding() {
        return frame != null;
    }

    /// Keeps a frame if there is no room for what it brings.
    ///
    /// @param payload borrowed
    boolean hold(int newType, WireReader payload) {
        int bytes = payload.remaining();
        if (bytes <= SMALL_BYTES
                || !FrameType.hasDeliveries(newType)
                || commands.hasRoom(heapBytes(bytes))) {
            return false;
        }
        type = newType;
        from = payload.position();
        to = payload.limit();
        byte[] array = payload.array();
        if (payload.limit() <= FrameSplitter.SCRATCH_BYTES) {
            array = Arrays.copyOfRange(array, from, to);
            to -= from;
            from = 0;
        }
        frame = array;
        pauses.begin(ReadingPauses.Reason.HELD_FRAME);
        return true;
    }

    /// The most that the frame can take when it is read.
    private static long heapBytes(int frameBytes) {
        long ranges = Math.min(frameBytes / RANGE_FRAME_BYTES, DeliveryRanges.MAX_RANGES);
        return ranges * RANGE_HEAP_BYTES;
    }

    /// Gives the frame to the sink, if there is room for it now.
    void tryAgain() {
        byte[] held = frame;
        if (held == null || !commands.hasRoom(heapBytes(to - from))) {
            return;
        }
        frame = null;
        sink.onFrame(type, reader.wrap(held, from, to));
        pauses.end(ReadingPauses.Reason.HELD_FRAME);
    }

    /// The connection has gone.
    void close() {
        frame = null;
    }
}
