package winnow.wire;

import java.util.concurrent.atomic.AtomicLong;

/// Memory for frames that have not arrived whole, of many connections together, and its limit. The
/// last quarter is for frames of usual size, so that large ones cannot keep those out. Thread-safe.
public final class FrameMemory {
    /// Longest array that is not counted: a connection takes about as much anyway.
    static final int UNCOUNTED_BYTES = 4 * 1024;

    /// Longest array of a frame of usual size: less than most reads bring of a large one.
    private static final int USUAL_BYTES = 32 * 1024;

    private final AtomicLong usedBytes = new AtomicLong();
    private final long limitBytes;

    public FrameMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// Bytes in use, without small arrays.
    public long usedBytes() {
        return usedBytes.get();
    }

    /// An array takes the place of another; 0 is the length of none.
    ///
    /// @throws WireException if the limit leaves no room for it
    void replace(int oldBytes, int newBytes) {
        long change = counted(newBytes) - counted(oldBytes);
        if (change == 0) {
            return;
        }
        long limit = newBytes > USUAL_BYTES ? limitBytes - limitBytes / 4 : limitBytes;
        if (usedBytes.addAndGet(change) > limit && change > 0) {
            usedBytes.addAndGet(-change);
            throw new WireException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "frames that have not arrived whole: expected room for "
                            + newBytes
                            + " bytes, found the limit of "
                            + limit
                            + " bytes reached");
        }
    }

    private static long counted(int bytes) {
        return bytes <= UNCOUNTED_BYTES ? 0 : bytes;
    }

    /// Whether an array whose frame is complete may be kept for the next one.
    boolean mayKeep(int bytes) {
        return bytes <= UNCOUNTED_BYTES
                || (bytes <= FrameSplitter.SCRATCH_BYTES && usedBytes.get() <= limitBytes / 2);
    }
}
