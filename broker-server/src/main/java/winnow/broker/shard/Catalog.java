package winnow.broker.shard;

import java.util.Collection;
import java.util.LinkedHashMap;
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

    /// Heap that destinations take which have had messages or subscriptions, and the subscriptions
    /// of topics: an estimate.
    private long keptBytes;

    private final long limitBytes;

    /// @param limitBytes heap that destinations and subscriptions may take
    Catalog(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// Why there can be no other queue or stored subscription; null if there can be.
    public @Nullable String full() {
        return keptBytes < limitBytes
                ? null
                : "there are "
                        + subscriptions.size()
                        + " queues and stored subscriptions, which take all of"
                        + " storage.destinations, "
                        + limitBytes
                        + " bytes";
    }

    /// A destination gets its first message or subscription, or has been found in the log.
    void keep(StoredDestination destination) {
        if (!destination.kept && !destination.temporary()) {
            destination.kept = true;
            keptBytes += destination.heapBytes();
        }
    }

    void add(StoredDestination destination) {
        destinations.put(destination.id(), destination);
        boolean queue = destination.kind() == DestinationKind.QUEUE;
        (queue ? queues : topics).put(destination.name(), destination);
    }

    void add(StoredSubscription subscription) {
        subscriptions.put(subscription.id(), subscription);
        subscription.destination().subscriptions().add(subscription);
        keptBytes += subscription.heapBytes();
    }

    void remove(StoredDestination destination) {
        if (destination.kept) {
            keptBytes -= destination.heapBytes();
        }
        destinations.remove(destination.id());
        boolean queue = destination.kind() == DestinationKind.QUEUE;
        (queue ? queues : topics).remove(destination.name());
    }

    void remove(StoredSubscription subscription) {
        subscriptions.remove(subscription.id());
        subscription.destination().subscriptions().remove(subscription);
        keptBytes -= subscription.heapBytes();
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
