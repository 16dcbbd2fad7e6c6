package winnow.broker.shard;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Consumers of a lane by the groups whose messages they get. A group is with the consumer that has
/// deliveries of it that are not settled, or had the last ones, while it lives. Of many groups
/// without deliveries, the one that was used longest ago is forgotten first; those with deliveries
/// are charged with these. Owned by the shard.
final class Groups {
    private static final int MAX_GROUPS = 65_536;

    /// Groups with deliveries that are not settled.
    private final Map<Long, Busy> busy = new HashMap<>(0);

    /// The others.
    private SequencedMap<Long, Owner> idle = inOrderOfUse();

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

    private static final class Busy {
        private final StoredConsumer owner;
        private int unsettled;

        /// True if the message that says so has been acknowledged.
        private boolean ended;

        Busy(StoredConsumer owner) {
            this.owner = owner;
        }
    }

    private static SequencedMap<Long, Owner> inOrderOfUse() {
        return new LinkedHashMap<>(16, 0.75f, true);
    }

    int count() {
        return busy.size() + idle.size();
    }

    /// Groups without deliveries.
    int idle() {
        return idle.size();
    }

    /// @param group its [GroupFinder.Group#key]
    /// @return null if the group has none
    @Nullable StoredConsumer owner(long group) {
        Busy known = busy.get(group);
        if (known != null) {
            return known.owner;
        }
        Owner owner = idle.get(group);
        return owner == null ? null : owner.consumer;
    }

    void assign(long group, StoredConsumer consumer, GroupTotal total) {
        int before = idle.size();
        idle.put(group, consumer.owner());
        if (idle.size() > MAX_GROUPS) {
            idle.pollFirstEntry();
        }
        total.onAdded(this, idle.size() - before);
    }

    /// A message of a group goes to the consumer that it belongs to.
    void onDelivered(long group, StoredConsumer consumer, GroupTotal total) {
        Busy known = busy.get(group);
        if (known == null) {
            if (idle.remove(group) != null) {
                total.onAdded(this, -1);
            }
            known = new Busy(consumer);
            busy.put(group, known);
        }
        known.unsettled++;
    }

    /// A delivery has been acknowledged or has come back. When the last one has, the next message
    /// goes to the same consumer, unless the group has ended.
    ///
    /// @param ends whether it was the last message of the group, and has been acknowledged
    void onSettled(long group, boolean ends, GroupTotal total) {
        Busy known = busy.get(group);
        if (known == null) {
            return;
        }
        known.ended |= ends;
        if (--known.unsettled == 0) {
            busy.remove(group);
            // What waits for the consumer may be of the group: it goes on there.
            if (!known.ended || hasParked(known.owner)) {
                assign(group, known.owner, total);
            }
        }
    }

    /// The last message of a group has been acknowledged, and was with nobody of the lane.
    void onEnded(long group, GroupTotal total) {
        Busy known = busy.get(group);
        if (known != null) {
            known.ended = true;
            return;
        }
        Owner owner = idle.get(group);
        StoredConsumer consumer = owner == null ? null : owner.consumer;
        if (consumer != null && !hasParked(consumer)) {
            idle.remove(group);
            total.onAdded(this, -1);
        }
    }

    private static boolean hasParked(StoredConsumer owner) {
        owner.subscription().waiting().retainParked(owner.parked());
        return owner.parked().count() > 0;
    }

    /// True if the group has deliveries that are not settled.
    boolean isBusy(long group) {
        return busy.containsKey(group);
    }

    /// The consumer of a group ends; somebody else looks after its deliveries.
    void onOwnerEnded(long group) {
        busy.remove(group);
    }

    /// Forgets the older half of those without deliveries.
    void halve() {
        Iterator<Map.Entry<Long, Owner>> eldest = idle.entrySet().iterator();
        for (int left = (idle.size() + 1) / 2; left > 0; left--) {
            eldest.next();
            eldest.remove();
        }
    }

    /// The last consumer has ended.
    void clear() {
        idle = inOrderOfUse();
    }
}
