package winnow.wire;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/// Limits the memory of frames that have not arrived completely, for many connections together. The
/// last quarter is reserved for frames of usual size and for the beginnings of large frames that
/// wait, so that large frames cannot keep these out.
///
/// Before the rest of a frame is read, it needs an [Admission], which reserves its whole length. So
/// a frame that was admitted can always be finished. If there is no room, frames wait in the order
/// in which they came, and their connections are not read meanwhile. Thread-safe.
public final class FrameMemory {
    /// Longest array that is not counted, because a connection takes about as much memory anyway.
    static final int UNCOUNTED_BYTES = 4 * 1024;

    /// Longest frame of usual size; most reads of a large frame bring more than this.
    private static final int USUAL_BYTES = 32 * 1024;

    private final AtomicLong usedBytes = new AtomicLong();
    private final long limitBytes;

    /// Frames that wait for room; guarded by this.
    private final ArrayDeque<Admission> usual = new ArrayDeque<>();

    private final ArrayDeque<Admission> large = new ArrayDeque<>();
    private volatile boolean someoneWaits;

    public FrameMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// Room for one frame that is reserved, or waited for.
    static final class Admission {
        private final int frameBytes;

        /// Bytes of the frame beside the beginning that is held already.
        private final int bytes;

        private final Runnable onGranted;
        private volatile boolean granted;

        Admission(int frameBytes, int bytes, Runnable onGranted) {
            this.frameBytes = frameBytes;
            this.bytes = bytes;
            this.onGranted = onGranted;
        }

        boolean granted() {
            return granted;
        }
    }

    /// Bytes in use, without small arrays.
    public long usedBytes() {
        return usedBytes.get();
    }

    /// True if frames wait for room that others have.
    public boolean someoneWaits() {
        return someoneWaits;
    }

    /// Reserves room for a frame of which an array of `heldBytes` is there, or puts it in the
    /// queue.
    ///
    /// @param onGranted called once when there is room, on any thread
    /// @throws WireException if there can never be room for it
    synchronized Admission admit(int heldBytes, int frameBytes, Runnable onGranted) {
        int bytes = Math.max(0, counted(frameBytes) - counted(heldBytes));
        Admission admission = new Admission(frameBytes, bytes, onGranted);
        if (frameBytes > limit(frameBytes)) {
            throw full(frameBytes);
        }
        queue(admission).add(admission);
        someoneWaits = true;
        grant();
        return admission;
    }

    /// Gives the room back: the frame is complete, or its connection has gone.
    void withdraw(Admission admission) {
        synchronized (this) {
            if (!admission.granted) {
                queue(admission).remove(admission);
                grant();
                return;
            }
        }
        give(admission.bytes);
    }

    private ArrayDeque<Admission> queue(Admission admission) {
        return admission.frameBytes > USUAL_BYTES ? large : usual;
    }

    private boolean take(Admission admission) {
        admission.granted = reserve(admission.bytes, limit(admission.frameBytes));
        return admission.granted;
    }

    private boolean reserve(int bytes, long limit) {
        long used;
        do {
            used = usedBytes.get();
            if (used + bytes > limit) {
                return false;
            }
        } while (!usedBytes.compareAndSet(used, used + bytes));
        return true;
    }

    private long limit(int frameBytes) {
        return frameBytes > USUAL_BYTES ? limitBytes - limitBytes / 4 : limitBytes;
    }

    private void give(int bytes) {
        usedBytes.addAndGet(-bytes);
        if (someoneWaits) {
            synchronized (this) {
                grant();
            }
        }
    }

    private void grant() {
        grant(usual);
        grant(large);
        someoneWaits = !usual.isEmpty() || !large.isEmpty();
    }

    private void grant(ArrayDeque<Admission> queue) {
        Admission first = queue.peek();
        while (first != null && take(first)) {
            queue.remove();
            first.onGranted.run();
            first = queue.peek();
        }
    }

    /// An array takes the place of another.
    ///
    /// @return false if the limit leaves no room for it
    boolean replace(int oldBytes, int newBytes) {
        int change = counted(newBytes) - counted(oldBytes);
        if (change > 0 && !reserve(change, limitBytes)) {
            return false;
        }
        if (change < 0) {
            give(-change);
        }
        return true;
    }

    /// Reason for closing a connection for which there is no room to wait.
    WireException full(int newBytes) {
        return new WireException(
                ErrorCode.LIMIT_EXCEEDED,
                "frames that have not arrived whole: expected room for "
                        + newBytes
                        + " bytes, found the limit of "
                        + limitBytes
                        + " bytes reached");
    }

    private static int counted(int bytes) {
        return bytes <= UNCOUNTED_BYTES ? 0 : bytes;
    }

    /// True if an array whose frame is complete may be kept for the next one. That of a frame of
    /// more than [FrameSplitter#SCRATCH_BYTES] never is: see [FrameSink#onFrame].
    boolean mayKeep(int bytes) {
        return bytes <= UNCOUNTED_BYTES || (bytes <= FrameSplitter.SCRATCH_BYTES && isHalfFree());
    }

    boolean isHalfFree() {
        return usedBytes.get() <= limitBytes / 2;
    }
}
