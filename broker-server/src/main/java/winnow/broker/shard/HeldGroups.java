package winnow.broker.shard;

import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.memory.HeapPart;

/// Groups whose messages nobody may have now, because earlier ones may come again: they are with a
/// consumer that has ended, or part of a prepared transaction, or they have failed and wait for
/// their time. What comes meanwhile is [parked][WaitingList] and known here by its group. Owned by
/// the shard.
///
/// A message that is away is charged with its delivery ([DeliveryLimit]). For groups that wait for
/// a time, and for what tells which messages wait for any group, there is a budget, of which a
/// subscription may have half of what others leave; above it a message that failed waits alone, and
/// its group goes on without it.
final class HeldGroups {
    private static final Logger LOG = LoggerFactory.getLogger(HeldGroups.class);

    private final Shard shard;
    private final HeapShares<StoredSubscription> heap;

    /// True if it was said that there is no room.
    private boolean told;

    private final PriorityQueue<Held> timed =
            new PriorityQueue<>(Comparator.comparingLong(held -> held.dueMillis));

    /// A group of a subscription that is held.
    static final class Held {
        private final StoredSubscription subscription;
        private final long group;

        /// Deliveries that are with nobody who could get more.
        private int away;

        /// Time from which a failed message may be delivered, in ms since 1970.
        private long untilMillis;

        /// By which it is in the queue of times.
        private long dueMillis;

        private boolean isTimed;

        private final SequenceSet waiting = new SequenceSet();
        private long chargedBytes;

        private Held(StoredSubscription subscription, long group) {
            this.subscription = subscription;
            this.group = group;
        }
    }

    HeldGroups(Shard shard, HeapPart heap) {
        this.shard = shard;
        this.heap = HeapShares.ofPlaces(heap);
    }

    /// Heap that those take that wait for a time, and what waits for any.
    long heapBytes() {
        return heap.bytes();
    }

    private static @Nullable Held find(StoredSubscription subscription, long group) {
        Map<Long, Held> groups = subscription.heldGroups();
        return groups.isEmpty() ? null : groups.get(group);
    }

    /// True if messages of a group have to wait.
    boolean holds(StoredSubscription subscription, long group) {
        return find(subscription, group) != null;
    }

    private Held hold(StoredSubscription subscription, long group) {
        Held found = find(subscription, group);
        if (found == null) {
            found = new Held(subscription, group);
            subscription.heldGroups().put(group, found);
        }
        return found;
    }

    private void charge(Held held) {
        long bytes = (held.isTimed ? HeapCost.HELD_GROUP : 0) + held.waiting.bitmapBytes();
        if (bytes != held.chargedBytes) {
            heap.add(held.subscription, bytes - held.chargedBytes);
            held.chargedBytes = bytes;
        }
    }

    private boolean hasRoom(StoredSubscription subscription) {
        return heap.hasRoom(subscription, HeapCost.HELD_GROUP + (long) HeapCost.BITMAP);
    }

    /// A message, which is parked, waits for its group, which is held.
    void add(StoredSubscription subscription, long group, long sequence) {
        Held held = hold(subscription, group);
        held.waiting.add(sequence);
        subscription.waiting().forgetStale(held.waiting);
        charge(held);
    }

    /// A delivery of a group is with nobody who could get more: its consumer has ended, or it is
    /// part of a prepared transaction.
    void onAway(StoredSubscription subscription, long group) {
        hold(subscription, group).away++;
    }

    /// Such a delivery has been acknowledged or has come back.
    void onSettled(StoredSubscription subscription, long group) {
        Held held = find(subscription, group);
        if (held != null && held.away > 0) {
            held.away--;
            letGo(held);
        }
    }

    /// A message of a group has failed: the group waits until it may be delivered again.
    ///
    /// @return false if there is no memory for that
    boolean delay(StoredSubscription subscription, long group, long untilMillis) {
        Held known = find(subscription, group);
        if ((known == null || !known.isTimed) && !hasRoom(subscription)) {
            tell(subscription);
            return false;
        }
        Held held = known == null ? hold(subscription, group) : known;
        held.untilMillis = Math.max(held.untilMillis, untilMillis);
        if (!held.isTimed) {
            held.isTimed = true;
            held.dueMillis = held.untilMillis;
            timed.add(held);
            charge(held);
        }
        return true;
    }

    private void tell(StoredSubscription subscription) {
        if (!told) {
            told = true;
            LOG.warn(
                    "A message of {} that failed waits without the others of its group, because"
                            + " groups that wait for one take {} bytes of heap, and the limit is {}"
                            + " (an eighth of storage.window), of which a queue may have half of"
                            + " what others leave. This is said once until few wait",
                    subscription,
                    heap.bytes(),
                    heap.limitBytes());
        }
    }

    /// Lets go the groups whose time has come.
    void due(long nowMillis) {
        while (!timed.isEmpty() && timed.peek().dueMillis <= nowMillis) {
            Held held = timed.remove();
            held.isTimed = false;
            if (held.subscription.ended()) {
                continue;
            }
            if (held.untilMillis > nowMillis) {
                held.isTimed = true;
                held.dueMillis = held.untilMillis;
                timed.add(held);
            } else {
                charge(held);
                letGo(held);
            }
        }
    }

    /// Time at which a group is due next, in ms since 1970; [Long#MAX_VALUE] if none is.
    long next() {
        return timed.isEmpty() ? Long.MAX_VALUE : timed.peek().dueMillis;
    }

    private void letGo(Held held) {
        StoredSubscription subscription = held.subscription;
        if (held.away > 0 || held.isTimed || !subscription.heldGroups().remove(held.group, held)) {
            return;
        }
        if (held.chargedBytes > 0) {
            heap.add(subscription, -held.chargedBytes);
            told &= 4 * heap.bytes() > heap.limitBytes();
        }
        Roaring64Bitmap waiting = new Roaring64Bitmap();
        held.waiting.addTo(waiting);
        subscription.unpark(waiting, shard.dispatcher()::add);
    }

    /// A subscription is gone.
    void forget(StoredSubscription subscription) {
        long had = heap.bytes(subscription);
        if (had > 0) {
            heap.add(subscription, -had);
        }
    }
}
