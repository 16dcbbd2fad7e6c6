package winnow.broker.shard;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import winnow.wire.DestinationKind;

/// The destinations and subscriptions of a shard. Owned by it.
public final class Catalog {
    private final Map<String, StoredDestination> queues = new LinkedHashMap<>();
    private final Map<String, StoredDestination> topics = new LinkedHashMap<>();
    private final Map<Integer, StoredDestination> destinations = new LinkedHashMap<>();
    private final Map<Integer, StoredSubscription> subscriptions = new LinkedHashMap<>();

    /// Destinations that may be unused, in the order in which they became so. Some are used again.
    private final LinkedHashSet<StoredDestination> idle = new LinkedHashSet<>();

    /// Heap that destinations take, and the subscriptions of topics: an estimate.
    private long keptBytes;

    private final long limitBytes;

    /// @param limitBytes heap that destinations and subscriptions may take
    Catalog(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// Why there can be no other queue or stored subscription; null if there can be.
    @Nullable String full() {
        return keptBytes < limitBytes
                ? null
                : "there are "
                        + subscriptions.size()
                        + " queues and stored subscriptions, which take all of"
                        + " storage.destinations, "
                        + limitBytes
                        + " bytes";
    }

    /// True if a destination, which is there already, has its place within the limit. One that has
    /// had a place keeps it.
    boolean admits(StoredDestination destination) {
        if (keptBytes - heapBytes(destination) < limitBytes) {
            destination.admitted = true;
        }
        return destination.admitted;
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
        keptBytes += heapBytes(destination);
        onIdle(destination);
        destinations.put(destination.id(), destination);
        boolean queue = destination.kind() == DestinationKind.QUEUE;
        (queue ? queues : topics).put(destination.name(), destination);
    }

    void add(StoredSubscription subscription) {
        subscriptions.put(subscription.id(), subscription);
        subscription.destination().subscriptions().add(subscription);
        keptBytes += subscription.heapBytes();
    }

    /// The sets of a subscription may have become larger or smaller.
    void onChanged(StoredSubscription subscription) {
        long now = subscription.setBytes();
        keptBytes += now - subscription.chargedSetBytes;
        subscription.chargedSetBytes = now;
    }

    void remove(StoredDestination destination) {
        keptBytes -= heapBytes(destination);
        idle.remove(destination);
        destinations.remove(destination.id());
        boolean queue = destination.kind() == DestinationKind.QUEUE;
        (queue ? queues : topics).remove(destination.name());
    }

    void remove(StoredSubscription subscription) {
        subscriptions.remove(subscription.id());
        subscription.destination().subscriptions().remove(subscription);
        keptBytes -= subscription.heapBytes() + subscription.chargedSetBytes;
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
