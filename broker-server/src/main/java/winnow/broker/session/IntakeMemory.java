package winnow.broker.session;

import java.util.concurrent.atomic.AtomicLong;

/// Heap of the messages of all connections that are on their way into the storage. Thread-safe.
public final class IntakeMemory {
    private static final int HEAP_PART = 16;

    private final AtomicLong used = new AtomicLong();
    private final long limitBytes;

    /// @param limitBytes above that, connections with more than a few messages are not read
    IntakeMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// A sixteenth of the largest heap.
    public static IntakeMemory ofHeap() {
        return new IntakeMemory(Runtime.getRuntime().maxMemory() / HEAP_PART);
    }

    void take(long bytes) {
        used.addAndGet(bytes);
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    /// True if there are more than there should be.
    boolean isFull() {
        return used.get() > limitBytes;
    }

    long usedBytes() {
        return used.get();
    }
}
