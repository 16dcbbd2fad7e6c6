package winnow.broker.transport;

/// Limits the bytes of HTTP answers that are not written to their sockets yet, of all connections
/// together. Owned by the HTTP thread.
final class AnswerMemory {
    /// The longest page, 10,000 topics with names of 1 KiB, and as much again.
    private static final long MAX_BYTES = 32L * 1024 * 1024;

    /// Part of the largest heap, where that is less.
    private static final int HEAP_PART = 8;

    private final long maxBytes;
    private long usedBytes;

    /// @param maxHeapBytes the largest heap
    AnswerMemory(long maxHeapBytes) {
        maxBytes = Math.min(MAX_BYTES, maxHeapBytes / HEAP_PART);
    }

    /// @return false if there is no room; the first answer always has it
    boolean take(int bytes) {
        if (usedBytes > 0 && usedBytes + bytes > maxBytes) {
            return false;
        }
        usedBytes += bytes;
        return true;
    }

    void release(int bytes) {
        usedBytes -= bytes;
    }
}
