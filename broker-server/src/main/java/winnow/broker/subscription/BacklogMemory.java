package winnow.broker.subscription;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Memory that what waits for consumers takes in all loops together, and its limit. It is charged
/// before it is allocated, in whole segments, so the counter is touched rarely. Arrays that the
/// pools keep for later count towards the limit, too. Thread-safe.
public final class BacklogMemory {
    /// Part of the limit that the pools of all loops may keep together.
    private static final int KEPT_PART = 8;

    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong keptBytes = new AtomicLong();
    private final Set<WaitingMessages> awaiting = ConcurrentHashMap.newKeySet();
    private final ProducerCredit credit;
    private final long limitBytes;

    /// @param limitBytes above this every subscription with a backlog counts as over its budget
    public BacklogMemory(long limitBytes) {
        this.limitBytes = limitBytes;
        this.credit = new ProducerCredit(limitBytes / 2);
    }

    /// Credit of all producers: half of the limit.
    public ProducerCredit credit() {
        return credit;
    }

    /// Something is about to be allocated, or kept.
    public void take(long bytes) {
        heldBytes.addAndGet(bytes);
    }

    /// Something was let go.
    public void give(long bytes) {
        long held = heldBytes.addAndGet(-bytes);
        if (held <= limitBytes && held + bytes > limitBytes) {
            wake();
        }
    }

    /// Nothing waits in an array any more: may a pool keep it?
    ///
    /// @return true if it may, and is counted as kept then
    boolean keep(int bytes) {
        if (exhausted() || keptBytes.get() + bytes > limitBytes / KEPT_PART) {
            return false;
        }
        keptBytes.addAndGet(bytes);
        return true;
    }

    /// A kept array is used again.
    void reuse(int bytes) {
        keptBytes.addAndGet(-bytes);
    }

    /// Tells the loop once when the limit is not reached, perhaps at once.
    void await(WaitingMessages loop) {
        awaiting.add(loop);
        if (!exhausted()) {
            wake();
        }
    }

    private void wake() {
        for (WaitingMessages loop : List.copyOf(awaiting)) {
            if (awaiting.remove(loop)) {
                loop.onMemory();
            }
        }
    }

    /// Whether the limit is reached.
    public boolean exhausted() {
        return heldBytes.get() > limitBytes;
    }

    /// Whether half of the limit more is held, which is what the credit of all producers may stand
    /// for.
    public boolean overrun() {
        return heldBytes.get() > limitBytes + limitBytes / 2;
    }

    /// Bytes taken by what waits.
    public long usedBytes() {
        return Math.max(0, heldBytes.get() - keptBytes.get());
    }

    /// Bytes of arrays that are kept for later.
    public long keptBytes() {
        return keptBytes.get();
    }

    public long limitBytes() {
        return limitBytes;
    }
}
