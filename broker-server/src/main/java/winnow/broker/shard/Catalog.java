package winnow.broker.shard;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import winnow.broker.memory.HeapPart;
import winnow.broker.memory.OwnerShares;
import winnow.wire.DestinationKind;

/// The destinations and subscriptions of a shard. Owned by it.
public final class Catalog {
    private final Map<String, StoredDestination> queues = new LinkedHashMap<>();
    private final Map<String, StoredDestination> topics = new LinkedHashMap<>();
    private final Map<Integer, StoredDestination> destinations = new LinkedHashMap<>();
    private final Map<Integer, StoredSubscription> subscriptions = new LinkedHashMap<>();

    /// Destinations that may be unused, in the order in which they became so. Some are used again.
    private final LinkedHashSet<StoredDestination> idle = new LinkedHashSet<>();

    /// The least that a stored subscription takes.
    private static final int SUBSCRIPTION_BYTES = 2048;

    private final HeapPart heap;

    /// Heap that destinations, the subscriptions of topics and the sets of messages take: an
    /// estimate. A queue is charged to the user who has sent to it first, a stored subscription to
    /// the one who has made it, or to the address of a client without a user; all others and the
    /// sets to nobody.
    private final OwnerShares shares;

    /// Heap of the sets of messages: bits where some have gone and others wait.
    private final HeapShares<StoredDestination> sets;

    /// @param heap that destinations and subscriptions may take, with their sets of messages. When
    ///   it is used up these may take half as much beside it, and as much as the destinations whose
    ///   messages they tell apart take themselves: all together two and a half times as much
    Catalog(HeapPart heap) {
        this.heap = heap;
        this.shares = new OwnerShares(heap);
        this.sets = HeapShares.ofPlaces(HeapPart.alone(heap.limitBytes() / 2));
    }

    /// Reason why an owner can have no other queue or stored subscription; null if it can.
    ///
    /// @param owner user or address, empty if it is not known
    /// @param bytes of heap that it takes
    @Nullable String full(String owner, long bytes) {
        return hasRoom(owner, 0, Math.max(bytes, SUBSCRIPTION_BYTES)) ? null : describe(owner);
    }

    /// @param had bytes that are charged to nobody now, and to the owner then
    private boolean hasRoom(String owner, long had, long wanted) {
        if (owner.isEmpty()) {
            return shares.usedBytes() - had < heap.availableBytes();
        }
        shares.giveBack("", had);
        boolean room = shares.hasRoom(owner, wanted);
        shares.add("", had);
        return room;
    }

    private String describe(String owner) {
        String all =
                "there are "
                        + subscriptions.size()
                        + " queues and stored subscriptions, which take "
                        + shares.usedBytes()
                        + " bytes";
        String its =
                owner.isEmpty()
                        ? ""
                        : ", those that its user has made "
                                + shares.usedBytes(owner)
                                + " of them. A user, or the address of a client without one, may"
                                + " have all but an eighth of what others leave";
        return all
                + its
                + "; storage.destinations is "
                + heap.limitBytes()
                + " bytes"
                + heap.shortage();
    }

    /// Reason against another message of a destination that leaves a gap in a set, or null. One
    /// that takes no more for its sets than it takes anyway has room.
    @Nullable String fullOfGaps(StoredDestination destination) {
        long had = sets.bytes(destination);
        return had <= destination.heapBytes() || had <= sets.share(destination)
                ? null
                : destination
                        + " has messages among many that have gone, or that others of its"
                        + " subscriptions want: what tells them apart takes "
                        + had
                        + " bytes of heap, and that of all destinations "
                        + sets.bytes()
                        + ". The limit is "
                        + sets.limitBytes()
                        + " (half of storage.destinations), of which a destination may have half"
                        + " of what others leave. Consume the oldest messages, end subscriptions"
                        + " that nobody uses, or raise it";
    }

    /// Bytes charged for a destination: temporary ones are charged to their connections.
    private static long heapBytes(StoredDestination destination) {
        return destination.temporary() ? 0 : destination.heapBytes();
    }

    /// A destination has lost its last message, consumer or subscription, or is new.
    void onIdle(StoredDestination destination) {
        if (!destination.idle && !destination.temporary() && !destination.removed()) {
            destination.idle = true;
            idle.addLast(destination);
        }
    }

    /// Takes out the destination that has been idle for the longest time, as far as that is known;
    /// null if there is none.
    @Nullable StoredDestination takeIdle() {
        StoredDestination first = idle.isEmpty() ? null : idle.removeFirst();
        if (first != null) {
            first.idle = false;
        }
        return first;
    }

    void add(StoredDestination destination) {
        shares.add("", heapBytes(destination));
        onIdle(destination);
        destinations.put(destination.id(), destination);
        boolean queue = destination.kind() == DestinationKind.QUEUE;
        (queue ? queues : topics).put(destination.name(), destination);
    }

    void add(StoredSubscription subscription) {
        subscriptions.put(subscription.id(), subscription);
        subscription.destination().subscriptions().add(subscription);
        shares.add(subscription.owner, subscription.heapBytes());
    }

    /// The sets of a subscription may have become larger or smaller.
    void onChanged(StoredSubscription subscription) {
        if (subscription.ended()) {
            return;
        }
        long now = subscription.setBytes();
        if (now != subscription.chargedSetBytes) {
            addSets(subscription.destination(), now - subscription.chargedSetBytes);
            subscription.chargedSetBytes = now;
        }
    }

    /// The same of the priorities of a destination.
    void onChanged(StoredDestination destination) {
        if (destination.removed()) {
            return;
        }
        long now = destination.priorities().heapBytes();
        if (now != destination.chargedSetBytes) {
            addSets(destination, now - destination.chargedSetBytes);
            destination.chargedSetBytes = now;
        }
    }

    private void addSets(StoredDestination destination, long change) {
        sets.add(destination, change);
        shares.add("", change);
    }

    /// Charges a destination to the first who sends to it, or who makes a subscription of it. One
    /// that has its place keeps it.
    ///
    /// @param owner user or address, empty if it is not known
    /// @return why there is no room for it; null if there is
    @Nullable String charge(StoredDestination destination, String owner) {
        if (destination.owner != null || destination.temporary()) {
            return null;
        }
        long bytes = destination.heapBytes();
        if (owner.isEmpty() ? !admits(destination) : !hasRoom(owner, bytes, bytes)) {
            return describe(owner);
        }
        shares.giveBack("", bytes);
        shares.add(owner, bytes);
        destination.owner = owner;
        return null;
    }

    /// True if a destination of nobody has its place within the limit.
    boolean admits(StoredDestination destination) {
        destination.admitted |= hasRoom("", heapBytes(destination), 0);
        return destination.admitted;
    }

    void remove(StoredDestination destination) {
        String owner = destination.owner;
        shares.giveBack(owner == null ? "" : owner, heapBytes(destination));
        destination.owner = null;
        addSets(destination, -destination.chargedSetBytes);
        destination.chargedSetBytes = 0;
        idle.remove(destination);
        destinations.remove(destination.id());
        boolean queue = destination.kind() == DestinationKind.QUEUE;
        (queue ? queues : topics).remove(destination.name());
    }

    void remove(StoredSubscription subscription) {
        subscriptions.remove(subscription.id());
        subscription.destination().subscriptions().remove(subscription);
        shares.giveBack(subscription.owner, subscription.heapBytes());
        addSets(subscription.destination(), -subscription.chargedSetBytes);
        subscription.chargedSetBytes = 0;
    }

    public Optional<StoredDestination> findQueue(String name) {
        return Optional.ofNullable(queues.get(name));
    }

    public Optional<StoredDestination> findTopic(String name) {
        return Optional.ofNullable(topics.get(name));
    }

    /// The destination with that number.
    public Optional<StoredDestination> find(int id) {
        return Optional.ofNullable(destinations.get(id));
    }

    /// The subscription with that number.
    public Optional<StoredSubscription> findSubscription(int id) {
        return Optional.ofNullable(subscriptions.get(id));
    }

    /// All destinations, in the order in which they were made.
    public Collection<StoredDestination> destinations() {
        return destinations.values();
    }

    /// All subscriptions, those of queues included.
    public Collection<StoredSubscription> subscriptions() {
        return subscriptions.values();
    }
}
