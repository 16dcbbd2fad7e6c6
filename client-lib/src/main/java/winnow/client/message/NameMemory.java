package winnow.client.message;

import java.util.concurrent.atomic.AtomicLong;
import winnow.wire.ErrorCode;
import winnow.wire.WireException;

/// Heap for the names of properties that brokers have told, of all connections of the process.
/// Thread-safe.
final class NameMemory {
    /// Part of the heap that names may take.
    private static final int HEAP_PART = 4;

    static final NameMemory OF_PROCESS =
            new NameMemory(Runtime.getRuntime().maxMemory() / HEAP_PART);

    private final long limitBytes;
    private final AtomicLong used = new AtomicLong();

    NameMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// @throws WireException if there is not so much; then nothing is taken
    void take(long bytes) {
        long now = used.addAndGet(bytes);
        if (now > limitBytes) {
            used.addAndGet(-bytes);
            throw new WireException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "Names: expected %d bytes of the heap for names of properties at most,"
                                    .formatted(limitBytes)
                            + " of all connections of this process, found %d".formatted(now));
        }
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }

    long usedBytes() {
        return used.get();
    }
}
