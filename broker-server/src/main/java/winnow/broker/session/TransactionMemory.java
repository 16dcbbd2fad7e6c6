package winnow.broker.session;

import java.util.concurrent.atomic.AtomicLong;
import winnow.broker.destination.RefusedException;
import winnow.wire.ErrorCode;

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

    /// Takes memory.
    ///
    /// @return false if there is not so much; then nothing is taken
    private boolean take(long bytes) {
        if (used.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    /// Takes memory for a part of a transaction.
    ///
    /// @param heldBytes what the transaction has already
    /// @param maxTransactionBytes that it may have
    /// @return what was taken
    /// @throws RefusedException if there is no room; then nothing is taken
    long charge(long heldBytes, long bytes, long maxTransactionBytes) {
        if (heldBytes + bytes > maxTransactionBytes) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "session.max-transaction-bytes is "
                            + maxTransactionBytes
                            + ": the transaction takes "
                            + heldBytes
                            + " bytes of heap, and a message or its recipients bring "
                            + bytes);
        }
        if (!take(bytes)) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "transactions that are not committed take "
                            + limitBytes
                            + " bytes, an eighth of the broker's heap");
        }
        return bytes;
    }

    long usedBytes() {
        return used.get();
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
    }
}
