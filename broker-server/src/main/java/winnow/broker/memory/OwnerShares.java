package winnow.broker.memory;

import java.util.HashMap;
import java.util.Map;

/// Heap that things of one kind may take, divided among those whose they are: users, or addresses
/// where clients have no users. One may have all but an eighth of what the others leave, so that
/// there is something left for the next. The budget's own part of the heap is for the first few KiB
/// of each: who has more is charged to what is left for all budgets, so that nobody else can use up
/// what a newcomer needs. What comes first of all finds room, whatever its size. Thread-safe.
public final class OwnerShares {
    private static final int RESERVED_PART = 8;

    /// Part of what is for newcomers that each owner may have first.
    private static final int FIRST_PART = 16;

    private final HeapPart heap;

    /// Guarded by this; of those that have something.
    private final Map<String, Long> byOwner = new HashMap<>();

    /// Written under the lock.
    private volatile long usedBytes;

    /// Bytes that owners have of their first ones. Guarded by this.
    private long firstBytes;

    /// @param heap of all together
    public OwnerShares(HeapPart heap) {
        this.heap = heap;
    }

    /// Bytes that all have.
    public long usedBytes() {
        return usedBytes;
    }

    /// Bytes that all may have where the broker's heap has enough.
    public long limitBytes() {
        return heap.limitBytes();
    }

    /// Says why all have less than their limit, for people; empty if they have not.
    public String shortage() {
        return heap.shortage();
    }

    /// Bytes that an owner may have, those included that it has.
    public synchronized long share(String owner) {
        long its = usedBytes(owner);
        long first = first(owner);
        long inLimit = Math.max(0, heap.limitBytes() - usedBytes + its);
        long inHeap = Math.max(0, heap.beyondFirstBytes() - beyondFirst()) + its - firstOf(its);
        long most = Math.min(leavingSome(inLimit), first + leavingSome(inHeap));
        return Math.max(most, first);
    }

    private static long leavingSome(long bytes) {
        return bytes - bytes / RESERVED_PART;
    }

    /// Bytes that an owner may have whatever others have, unless very many have as much.
    public synchronized long first(String owner) {
        long left = Math.max(0, heap.newcomerBytes() - firstBytes);
        return Math.min(heap.newcomerBytes() / FIRST_PART, firstOf(usedBytes(owner)) + left);
    }

    private long firstOf(long bytes) {
        return Math.min(bytes, heap.newcomerBytes() / FIRST_PART);
    }

    /// Bytes that an owner has.
    public synchronized long usedBytes(String owner) {
        return byOwner.getOrDefault(owner, 0L);
    }

    /// True if so much more finds room.
    public synchronized boolean hasRoom(String owner, long more) {
        return more <= 0 || usedBytes == 0 || usedBytes(owner) + more <= share(owner);
    }

    /// Takes room.
    ///
    /// @return false if there is not so much; then nothing is taken
    public synchronized boolean take(String owner, long bytes) {
        if (!hasRoom(owner, bytes)) {
            return false;
        }
        add(owner, bytes);
        return true;
    }

    /// Takes room of an owner that may have so much at most, whatever is left.
    ///
    /// @return false if there is not so much; then nothing is taken
    public synchronized boolean take(String owner, long bytes, long maxOfOwner) {
        return usedBytes(owner) + bytes <= Math.min(maxOfOwner, share(owner)) && take(owner, bytes);
    }

    /// Takes room, whether there is any or not.
    public synchronized void add(String owner, long bytes) {
        if (bytes == 0) {
            // Who has nothing has no entry.
            return;
        }
        long before = usedBytes(owner);
        usedBytes = usedBytes + bytes;
        firstBytes += firstOf(before + bytes) - firstOf(before);
        byOwner.merge(owner, bytes, (had, more) -> had + more == 0 ? null : had + more);
        heap.follow(heap.newcomerBytes() + beyondFirst());
    }

    /// Bytes that are not among the first of an owner.
    private long beyondFirst() {
        return usedBytes - Math.min(firstBytes, heap.newcomerBytes());
    }

    /// Gives room back.
    public synchronized void giveBack(String owner, long bytes) {
        add(owner, -bytes);
    }
}
