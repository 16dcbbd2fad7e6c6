package winnow.broker.shard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.Table;
import winnow.wire.DestinationKind;

/// A queue, or a topic with durable subscriptions, as its shard knows it: its messages are numbered
/// by sequences, in the order in which they came. Owned by its shard.
public final class StoredDestination {
    private final int id;
    private final DestinationKind kind;
    private final String name;
    private final List<StoredSubscription> subscriptions = new ArrayList<>();
    private final Map<Long, StoredMessage> window = new HashMap<>();

    /// Sequence of the next message.
    private long next;

    /// Sequences below this may be used without a note in the log.
    long reserved;

    /// Rows of messages below this have been deleted.
    private long deletedBelow;

    StoredDestination(int id, DestinationKind kind, String name, long first) {
        this.id = id;
        this.kind = kind;
        this.name = name;
        this.next = first;
        this.reserved = first;
    }

    /// Number within the shard.
    public int id() {
        return id;
    }

    public DestinationKind kind() {
        return kind;
    }

    public String name() {
        return name;
    }

    /// Its subscriptions: that of a queue, or the durable ones of a topic.
    List<StoredSubscription> subscriptions() {
        return subscriptions;
    }

    /// The one subscription that a queue has.
    public StoredSubscription queue() {
        if (kind != DestinationKind.QUEUE) {
            throw new IllegalStateException(name + " is a topic");
        }
        return subscriptions.get(0);
    }

    long next() {
        return next;
    }

    long takeSequence() {
        return next++;
    }

    /// The lowest sequence that a subscription still needs.
    long head() {
        long head = next;
        for (StoredSubscription subscription : subscriptions) {
            head = Math.min(head, subscription.head());
        }
        return head;
    }

    /// Deletes the rows that no subscription needs any more.
    ///
    /// @param together so many at least
    void deleteRows(Batch batch, int together) {
        long head = head();
        if (head - deletedBelow >= together) {
            byte[] from = Keys.of(id, deletedBelow);
            byte[] to = Keys.of(id, head);
            batch.deleteRange(Table.HEADERS, from, to);
            batch.deleteRange(Table.BODIES, from, to);
            deletedBelow = head;
        }
    }

    /// How many subscriptions have not acknowledged a message.
    int referencesTo(long sequence) {
        int references = 0;
        for (StoredSubscription subscription : subscriptions) {
            if (subscription.expects(sequence)) {
                references++;
            }
        }
        return references;
    }

    @Nullable StoredMessage inWindow(long sequence) {
        return window.get(sequence);
    }

    void hold(StoredMessage message) {
        window.put(message.sequence, message);
    }

    void drop(long sequence) {
        window.remove(sequence);
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + name;
    }
}
