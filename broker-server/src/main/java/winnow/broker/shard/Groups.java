package winnow.broker.shard;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Which consumer of a lane gets the messages of which group, while it lives. Of many groups, the
/// one that was used longest ago is forgotten first. Owned by the shard.
final class Groups {
    private static final int MAX_GROUPS = 65_536;

    private SequencedMap<Long, Owner> owners = inOrderOfUse();

    /// A consumer that has groups, as long as it lives. It is told apart from the consumer so that
    /// ending one costs no walk through the groups, and they keep nothing of it.
    static final class Owner {
        private @Nullable StoredConsumer consumer;

        Owner(StoredConsumer consumer) {
            this.consumer = consumer;
        }

        /// The consumer has ended: its groups have none any more.
        void end() {
            consumer = null;
        }
    }

    private static SequencedMap<Long, Owner> inOrderOfUse() {
        return new LinkedHashMap<>(16, 0.75f, true);
    }

    int count() {
        return owners.size();
    }

    /// @param group its [GroupFinder.Group#key]
    /// @return null if the group has none
    @Nullable StoredConsumer owner(long group) {
        Owner owner = owners.get(group);
        return owner == null ? null : owner.consumer;
    }

    void assign(long group, StoredConsumer consumer, GroupTotal total) {
        int before = owners.size();
        owners.put(group, consumer.owner());
        if (owners.size() > MAX_GROUPS) {
            owners.pollFirstEntry();
        }
        total.onAdded(this, owners.size() - before);
    }

    /// The next message of the group may go to another consumer.
    void release(long group) {
        owners.remove(group);
    }

    /// Forgets the older half.
    void halve() {
        Iterator<Map.Entry<Long, Owner>> eldest = owners.entrySet().iterator();
        for (int left = (owners.size() + 1) / 2; left > 0; left--) {
            eldest.next();
            eldest.remove();
        }
    }

    /// The last consumer has ended.
    void clear() {
        owners = inOrderOfUse();
    }
}
