package winnow.broker.shard;

import java.util.HashMap;
import java.util.Map;

/// Heap that objects of one kind may take, divided among owners: one may have half of what the
/// others leave, so that there is something left for the next. Owned by a shard.
///
/// @param <K> whose objects they are
final class HeapShares<K> {
    private static final int PART = 2;

    private final long limitBytes;
    private final Map<K, Long> byOwner = new HashMap<>();
    private long bytes;

    HeapShares(long limitBytes) {
        this.limitBytes = limitBytes;
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
        return Math.max(0, limitBytes - bytes + bytes(owner)) / PART;
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
