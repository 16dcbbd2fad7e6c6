package winnow.broker.shard;

import java.util.HashMap;
import java.util.Map;
import winnow.broker.memory.HeapPart;

/// Heap that objects of one kind may take, or their number, divided among owners: one may have a
/// part of what the others leave, so that there is something left for the next. Owned by a shard.
///
/// @param <K> whose objects they are
final class HeapShares<K> {
    private final HeapPart heap;
    private final int reserved;
    private final Map<K, Long> byOwner = new HashMap<>();
    private long bytes;

    private HeapShares(HeapPart heap, int reserved) {
        this.heap = heap;
        this.reserved = reserved;
    }

    /// Shares of places where messages wait: each may have half of what others leave.
    static <K> HeapShares<K> ofPlaces(HeapPart heap) {
        return new HeapShares<>(heap, 2);
    }

    /// Shares of users, of whom most brokers have one or two: each may have all but an eighth of
    /// what others leave.
    static HeapShares<String> ofUsers(HeapPart heap) {
        return new HeapShares<>(heap, 8);
    }

    long bytes() {
        return bytes;
    }

    long limitBytes() {
        return heap.limitBytes();
    }

    /// Says why there is less than the limit, for people; empty if there is not.
    String shortage() {
        return heap.shortage();
    }

    long bytes(K owner) {
        return byOwner.getOrDefault(owner, 0L);
    }

    /// Bytes that an owner may have, with those that it has.
    long share(K owner) {
        long left = Math.max(0, heap.availableBytes() - bytes + bytes(owner));
        return left - left / reserved;
    }

    /// Limit of an owner where the broker's heap has enough.
    long wholeShare(K owner) {
        long left = Math.max(0, heap.limitBytes() - bytes + bytes(owner));
        return left - left / reserved;
    }

    boolean hasRoom(K owner, long more) {
        return bytes(owner) + more <= share(owner);
    }

    /// Something is kept, or has been let go.
    ///
    /// @param change below 0 if it has been let go
    void add(K owner, long change) {
        if (change == 0) {
            // Who keeps nothing has no entry.
            return;
        }
        bytes += change;
        byOwner.merge(owner, change, (had, more) -> had + more == 0 ? null : had + more);
        heap.follow(bytes);
        assert bytes >= 0 && bytes(owner) >= 0 : owner + " let go more than it kept";
    }
}
