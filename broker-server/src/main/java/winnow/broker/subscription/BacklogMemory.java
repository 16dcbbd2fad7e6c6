package winnow.broker.subscription;

import java.util.concurrent.atomic.AtomicLong;

/// Memory that the backlogs of all subscriptions hold together, and its limit. Counted in whole
/// chunks, so the counter is touched rarely. Thread-safe.
public final class BacklogMemory {
    private final AtomicLong usedBytes = new AtomicLong();
    private final long limitBytes;

    /// @param limitBytes above this every subscription with a backlog counts as over its budget
    public BacklogMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    void add(long bytes) {
        usedBytes.addAndGet(bytes);
    }

    /// Whether the limit is reached.
    public boolean exhausted() {
        return usedBytes.get() > limitBytes;
    }

    /// Bytes held now.
    public long usedBytes() {
        return usedBytes.get();
    }

    public long limitBytes() {
        return limitBytes;
    }
}
