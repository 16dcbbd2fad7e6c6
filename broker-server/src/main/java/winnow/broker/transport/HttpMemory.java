package winnow.broker.transport;

import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.HeapPart;

/// Limits the bytes of HTTP requests that wait, or of answers that are not written to their sockets
/// yet, of all connections together. Owned by the HTTP thread.
final class HttpMemory {
    /// The longest page, 10,000 topics with names of 1 KiB, and as much again.
    private static final long MAX_BYTES = 32L * 1024 * 1024;

    /// Part of the largest heap, where that is less.
    private static final int HEAP_PART = 16;

    private final HeapPart heap;
    private long usedBytes;

    HttpMemory(HeapPart heap) {
        this.heap = heap;
    }

    /// A sixteenth of the largest heap, 32 MiB at most.
    ///
    /// @param name of what takes it
    static HttpMemory of(BrokerHeap heap, String name) {
        long part = Runtime.getRuntime().maxMemory() / HEAP_PART;
        return new HttpMemory(heap.part(name, Math.min(MAX_BYTES, part)));
    }

    /// @return false if there is no room; the first one always has it
    boolean take(int bytes) {
        if (usedBytes > 0 && usedBytes + bytes > heap.availableBytes()) {
            return false;
        }
        add(bytes);
        return true;
    }

    /// Takes room, whether there is any or not.
    void add(int bytes) {
        usedBytes += bytes;
        heap.follow(usedBytes);
    }

    /// Bytes that are used.
    long usedBytes() {
        return usedBytes;
    }

    void release(int bytes) {
        usedBytes -= bytes;
        heap.follow(usedBytes);
    }
}
