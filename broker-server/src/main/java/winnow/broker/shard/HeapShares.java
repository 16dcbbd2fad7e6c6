package winnow.broker.shard;

import java.util.HashMap;
import java.util.Map;

/// Heap that objects of one kind may take, divided among owners: one may have a part of what the
/// others leave, so that there is something left for the next. Owned by a shard.
///
/// @param <K> whose objects they are
final class HeapShares<K> {
    private final long limitBytes;
    private final int reserved;
    private final Map<K, Long> byOwner = new HashMap<>();
    private long bytes;

    private HeapShares(long limitBytes, int reserved) {
        this.limitBytes = limitBytes;
        this.reserved = reserved;
    }

    /// Shares of places where messages wait: each may have half of what others leave.
    static <K> HeapShares<K> ofPlaces(long limitBytes) {
        return new HeapShares<>(limitBytes, 2);
    }

    /// Shares of users, of whom most brokers have one or two: each may have all but an eighth of
    /// what others leave.
    static HeapShares<String> ofUsers(long limitBytes) {
        return new HeapShares<>(limitBytes, 8);
    }

    long bytes() {
        return bytes;
    }

    long limitBytes() {
        return limitBytes;
    }

    long bytes(K owner) {
        return byOwner.getOrDefault(owner, 0L);
    }

    /// What an owner may have, with what it has.
    long share(K owner) {
        long left = Math.max(0, limitBytes - bytes + bytes(owner));
        return left - left / reserved;
    }

    boolean hasRoom(K owner, long more) {
        return bytes(owner) + more <= share(owner);
    }

    /// Something is kept, or has been let go.
    ///
    /// @param change below 0 if it has been let go
    void add(K owner, long change) {
        bytes += change;
        byOwner.merge(owner, change, (had, more) -> had + more == 0 ? null : had + more);
    }
}
