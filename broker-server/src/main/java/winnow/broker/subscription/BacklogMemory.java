package winnow.broker.subscription;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/// Memory that the backlogs of all subscriptions hold together, and its limit. Counted in whole
/// chunks, so the counter is touched rarely. Thread-safe.
public final class BacklogMemory {
    private final AtomicLong usedBytes = new AtomicLong();
    private final ConcurrentLinkedQueue<Subscription> waiting = new ConcurrentLinkedQueue<>();
    private final long limitBytes;

    /// @param limitBytes above this every subscription with a backlog counts as over its budget
    public BacklogMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    void add(long bytes) {
        long used = usedBytes.addAndGet(bytes);
        if (bytes < 0 && used <= limitBytes && used - bytes > limitBytes) {
            wake();
        }
    }

    /// Tells the subscription once when the limit is not reached, perhaps at once.
    void await(Subscription subscription) {
        waiting.add(subscription);
        if (!exhausted()) {
            wake();
        }
    }

    void forget(Subscription subscription) {
        waiting.remove(subscription);
    }

    private void wake() {
        for (Subscription next = waiting.poll(); next != null; next = waiting.poll()) {
            next.onMemory();
        }
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
