package winnow.broker.budget;

import winnow.broker.matching.RefusedException;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.HeapPart;
import winnow.broker.memory.OwnerShares;
import winnow.wire.ErrorCode;

/// Memory for messages of transactions that are not committed, of all sessions together, with a
/// share for each user or address. Thread-safe.
public final class TransactionMemory {
    private static final int HEAP_PART = 8;

    /// A transaction takes so much more than it needs at most, and no more than it has, so that not
    /// each of its messages takes the lock of all.
    private static final long SPARE_BYTES = 16 * 1024;

    private final OwnerShares shares;

    /// @param heap of all sessions together
    TransactionMemory(HeapPart heap) {
        this.shares = new OwnerShares(heap);
    }

    /// An eighth of the largest heap.
    public static TransactionMemory of(BrokerHeap heap) {
        return new TransactionMemory(
                heap.part("transactions", Runtime.getRuntime().maxMemory() / HEAP_PART));
    }

    /// Takes memory for a part of a transaction.
    ///
    /// @param owner user or address whose transaction it is
    /// @param heldBytes what the transaction has already
    /// @param spareBytes what was taken for it before and it does not need
    /// @param maxTransactionBytes that it may have
    /// @return what was taken: `bytes` less the spare ones, or more
    /// @throws RefusedException if there is no room; then nothing is taken
    public long charge(
            String owner, long heldBytes, long spareBytes, long bytes, long maxTransactionBytes) {
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
        long missing = bytes - spareBytes;
        if (missing <= 0) {
            return 0;
        }
        long more = missing + Math.min(heldBytes, SPARE_BYTES);
        if (shares.take(owner, more, Long.MAX_VALUE)) {
            return more;
        }
        if (!shares.take(owner, missing, Long.MAX_VALUE)) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "transactions that are not committed take "
                            + shares.usedBytes()
                            + " bytes, "
                            + shares.usedBytes(owner)
                            + " of them those of this user or address, which may have "
                            + shares.share(owner)
                            + " of the "
                            + shares.limitBytes()
                            + " bytes, an eighth of the broker's heap"
                            + shares.shortage()
                            + "; a message or its recipients"
                            + " bring "
                            + bytes);
        }
        return missing;
    }

    public long usedBytes() {
        return shares.usedBytes();
    }

    public void giveBack(String owner, long bytes) {
        shares.giveBack(owner, bytes);
    }
}
