package winnow.broker.budget;

import java.util.HashMap;
import java.util.Map;
import winnow.broker.destination.Destination;
import winnow.broker.routing.DestinationRegistry;
import winnow.wire.DestinationKind;

/// Share of one connection in the [MetadataBudget], and the destinations it refers to, each charged
/// once per connection. Thread-safe: parts of what a connection held go after it.
public final class MetadataAccount {
    /// Of a subscription without its selector, on the connection's side and the topic's.
    public static final long SUBSCRIPTION_BYTES = 640;

    /// Of a producer handle.
    public static final long HANDLE_BYTES = 256;

    /// Of a topic with an empty index, and of the reference to it here.
    static final long TOPIC_BYTES = 4096;

    private static final long NAME_BYTES = 128;

    private final MetadataBudget budget;
    private final DestinationRegistry registry;
    private final Map<Key, Integer> destinations = new HashMap<>();
    private volatile String owner = "";
    private long usedBytes;

    private record Key(DestinationKind kind, String name) {
        long bytes() {
            return TOPIC_BYTES + textBytes(name);
        }
    }

    public MetadataAccount(MetadataBudget budget, DestinationRegistry registry) {
        this.budget = budget;
        this.registry = registry;
    }

    /// Heap of a text, whatever its letters.
    public static long textBytes(String text) {
        return NAME_BYTES + 2L * text.length();
    }

    /// Tells whose connection it is, before anything is charged.
    public void owner(String newOwner) {
        owner = newOwner;
    }

    /// User whose share of memory the connection takes, or its address where there are no users.
    public String owner() {
        return owner;
    }

    /// Charges the connection, its owner and everybody.
    ///
    /// @throws winnow.broker.matching.RefusedException naming the limit, if one of them has no
    ///   room; then nothing is charged
    public synchronized void charge(long bytes) {
        budget.charge(owner, usedBytes, bytes);
        usedBytes += bytes;
    }

    /// Takes a charge back.
    public synchronized void giveBack(long bytes) {
        usedBytes -= bytes;
        budget.giveBack(owner, bytes);
    }

    /// The destination with that name, with one reference more.
    ///
    /// @throws winnow.broker.matching.RefusedException if there is no room for it, its name is not
    ///   usable, or there are too many
    public synchronized Destination acquire(DestinationKind kind, String name) {
        Key key = new Key(kind, name);
        if (destinations.containsKey(key)) {
            Destination destination = registry.acquire(kind, name);
            destinations.merge(key, 1, Integer::sum);
            return destination;
        }
        charge(key.bytes());
        try {
            Destination destination = registry.acquire(kind, name);
            destinations.put(key, 1);
            return destination;
        } catch (RuntimeException | Error e) {
            giveBack(key.bytes());
            throw e;
        }
    }

    /// Takes a reference back.
    public synchronized void release(Destination destination) {
        registry.release(destination);
        Key key = new Key(destination.kind(), destination.name());
        boolean last = destinations.merge(key, -1, Integer::sum) == 0;
        if (last) {
            destinations.remove(key);
            giveBack(key.bytes());
        }
    }
}
