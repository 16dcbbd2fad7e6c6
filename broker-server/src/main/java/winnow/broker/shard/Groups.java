package winnow.broker.shard;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/// Which consumer of a lane gets the messages of which group, while it lives. Of many groups, the
/// one that was used longest ago is forgotten first. Owned by the shard.
final class Groups {
    private static final int MAX_GROUPS = 65_536;

    private final LinkedHashMap<String, StoredConsumer> owners =
            new LinkedHashMap<>(16, 0.75f, true);

    /// @return null if the group has none
    @Nullable StoredConsumer owner(String group) {
        return owners.get(group);
    }

    void assign(String group, StoredConsumer consumer) {
        owners.put(group, consumer);
        if (owners.size() > MAX_GROUPS) {
            owners.pollFirstEntry();
        }
    }

    /// The next message of the group may go to another consumer.
    void release(String group) {
        owners.remove(group);
    }

    /// A consumer has ended.
    void forget(StoredConsumer consumer) {
        owners.values().removeIf(owner -> owner == consumer);
    }
}
