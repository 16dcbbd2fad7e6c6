package winnow.broker.memory;

import java.util.function.LongSupplier;

/// One budget's part of the [BrokerHeap]. The budget counts by itself; it asks how much it may
/// have, and tells what it has taken. Thread-safe.
public final class HeapPart {
    /// Bytes that are taken from what is left for all, and given back, together.
    private static final long CHUNK_BYTES = 64 * 1024;

    private final BrokerHeap heap;
    private final String name;
    private final long limitBytes;
    private final long ownBytes;
    private final long newcomerBytes;

    /// Bytes that the budget may use without asking: its own and what it has taken of the rest.
    /// Written under the lock.
    private volatile long roomBytes;

    HeapPart(BrokerHeap heap, String name, long limitBytes, long ownBytes, long newcomerBytes) {
        this.heap = heap;
        this.name = name;
        this.limitBytes = limitBytes;
        this.ownBytes = ownBytes;
        this.newcomerBytes = newcomerBytes;
        this.roomBytes = ownBytes;
        heap.take(ownBytes);
    }

    /// Makes a part that shares with nobody.
    public static HeapPart alone(long limitBytes) {
        return BrokerHeap.unlimited().part("", limitBytes);
    }

    /// The budget's name, for people.
    public String name() {
        return name;
    }

    /// Bytes that the budget may have where enough is left.
    public long limitBytes() {
        return limitBytes;
    }

    /// Bytes of its own that [OwnerShares] keep for the first few KiB of each owner: all but what
    /// is for one thing of a certain length.
    long newcomerBytes() {
        return newcomerBytes;
    }

    /// Bytes that the budget may have now, those included that it has. Less than it has, if budgets
    /// had to take more than there was.
    public long availableBytes() {
        return Math.min(limitBytes, unlimitedBytes());
    }

    /// Bytes that the budget may have now for all but the first few KiB of each owner, those
    /// included that it has.
    public long beyondFirstBytes() {
        return unlimitedBytes() - newcomerBytes;
    }

    private long unlimitedBytes() {
        return Math.max(ownBytes, roomBytes + heap.leftBytes());
    }

    /// Takes or gives back what the budget's new sum needs. To be called by the one thread that
    /// changes the sum, or under its lock.
    ///
    /// @param usedBytes the sum, whether there was room for it or not
    public void follow(long usedBytes) {
        if (differs(usedBytes)) {
            settle(usedBytes);
        }
    }

    /// Takes or gives back what the budget's new sum needs, which any thread may change meanwhile.
    ///
    /// @param usedBytes tells the sum
    public void follow(LongSupplier usedBytes) {
        while (differs(usedBytes.getAsLong())) {
            synchronized (this) {
                settle(usedBytes.getAsLong());
            }
        }
    }

    private boolean differs(long usedBytes) {
        long room = roomBytes;
        return usedBytes > room || (room > ownBytes && usedBytes < room - 2 * CHUNK_BYTES);
    }

    private synchronized void settle(long usedBytes) {
        long above = Math.max(0, usedBytes - ownBytes);
        long wanted = ownBytes + Math.ceilDiv(above, CHUNK_BYTES) * CHUNK_BYTES;
        long more = wanted - roomBytes;
        // Who asks meanwhile sees too little rather than the same bytes twice.
        if (more > 0) {
            heap.take(more);
            roomBytes = wanted;
        } else {
            roomBytes = wanted;
            heap.take(more);
        }
    }

    /// Bytes that are the budget's own or that it has taken from what is left for all.
    public long roomBytes() {
        return roomBytes;
    }

    /// Says why a budget has less than its limit, for people; empty if it has not.
    public String shortage() {
        long available = availableBytes();
        return available >= limitBytes
                ? ""
                : "; the broker's heap leaves it " + available + " bytes of that";
    }
}
