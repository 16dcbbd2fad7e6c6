package winnow.broker.budget;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.HeapPart;

/// Heap of the messages of all connections that are on their way into the storage. Thread-safe.
public final class IntakeMemory {
    private static final int HEAP_PART = 16;

    private final AtomicLong used = new AtomicLong();
    private final LongSupplier usedNow = used::get;
    private final HeapPart heap;

    /// @param heap above that, connections with more than a few messages are not read
    public IntakeMemory(HeapPart heap) {
        this.heap = heap;
    }

    /// A sixteenth of the largest heap.
    public static IntakeMemory of(BrokerHeap heap) {
        return new IntakeMemory(
                heap.part(
                        "on the way to the storage", Runtime.getRuntime().maxMemory() / HEAP_PART));
    }

    public void take(long bytes) {
        used.addAndGet(bytes);
        heap.follow(usedNow);
    }

    public void giveBack(long bytes) {
        used.addAndGet(-bytes);
        heap.follow(usedNow);
    }

    /// True if there are more than there should be.
    public boolean isFull() {
        return used.get() > heap.availableBytes();
    }

    public long usedBytes() {
        return used.get();
    }
}
