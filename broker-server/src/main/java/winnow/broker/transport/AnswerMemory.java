package winnow.broker.transport;

/// Limits the bytes of HTTP answers that are not written to their sockets yet, of all connections
/// together. Owned by the HTTP thread.
final class AnswerMemory {
    /// The longest page, 10,000 topics with names of 1 KiB, and as much again.
    private static final long MAX_BYTES = 32L * 1024 * 1024;

    private long usedBytes;

    /// @return false if there is no room; the first answer always has it
    boolean take(int bytes) {
        if (usedBytes > 0 && usedBytes + bytes > MAX_BYTES) {
            return false;
        }
        usedBytes += bytes;
        return true;
    }

    void release(int bytes) {
        usedBytes -= bytes;
    }
}
