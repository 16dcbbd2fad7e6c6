package winnow.broker.storage;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;

/// Finds destinations that nobody uses: those that were unused at two looks in succession go. Owned
/// by the shard's thread.
final class Unused {
    private Set<StoredDestination> before = new HashSet<>();

    /// Looks once. To be called now and then.
    void collect(Shard shard) {
        Set<StoredDestination> now = new HashSet<>();
        for (StoredDestination one : List.copyOf(shard.catalog().destinations())) {
            if (isUnused(one) && !(before.contains(one) && shard.collect(one))) {
                now.add(one);
            }
        }
        before = now;
    }

    private static boolean isUnused(StoredDestination destination) {
        return !destination.temporary()
                && destination.allSubscriptions().stream()
                        .allMatch(one -> one.messages() == 0 && one.consumers() == 0)
                && destination.allSubscriptions().stream()
                        .noneMatch(one -> one.durable() && isNamed(one.name().subscription()));
    }

    private static boolean isNamed(String subscription) {
        return !subscription.isEmpty();
    }
}
