package winnow.broker.session;

import java.util.concurrent.atomic.AtomicLong;

/// Memory for messages of transactions that are not committed, of all sessions together.
/// Thread-safe.
public final class TransactionMemory {
    private static final int HEAP_PART = 8;

    private final AtomicLong used = new AtomicLong();
    private final long limitBytes;

    /// @param limitBytes of all sessions together
    TransactionMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// An eighth of the largest heap.
    public static TransactionMemory ofHeap() {
        return new TransactionMemory(Runtime.getRuntime().maxMemory() / HEAP_PART);
    }

    long limitBytes() {
        return limitBytes;
    }

    /// Takes memory.
    ///
    /// @return false if there is not so much; then nothing is taken
    boolean take(long bytes) {
        if (used.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }
}
