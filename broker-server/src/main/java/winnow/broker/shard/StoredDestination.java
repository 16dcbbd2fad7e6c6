package winnow.broker.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import winnow.wire.DestinationKind;

/// A queue, or a topic with durable subscriptions, as its shard knows it: its messages are numbered
/// by sequences, in the order in which they came. Owned by its shard.
public final class StoredDestination {
    /// Measured with 100,000 queues: 1.2 to 1.8 KB.
    private static final int HEAP_BYTES = 2048;

    private final int id;
    private final DestinationKind kind;
    private final String name;
    private final boolean temporary;
    private final List<StoredSubscription> subscriptions = new ArrayList<>();
    private final SequenceMap<StoredMessage> window = new SequenceMap<>();

    /// Sequence of the next message.
    private long next;

    /// Sequences below this may be used without a note in the log.
    long reserved;

    /// Messages that become available when the log has what was appended before.
    private int appending;

    /// Messages among them that are not persistent.
    private int appendingTransient;

    /// True if it stays although nobody seems to use it.
    boolean pinned;

    /// True if it had its place within the limit of the catalog.
    boolean admitted;

    /// Owner of the share of the catalog that it takes; null if it takes none.
    @Nullable String owner;

    /// True if the catalog has it among those that may be unused.
    boolean idle;

    /// True if the log has its row.
    boolean inLog;

    /// Bytes that the catalog has charged for its priorities.
    long chargedSetBytes;

    private final Priorities priorities = new Priorities();
    private final Counts counts = new Counts();
    private final MessageSpace space = new MessageSpace(this);
    private Policy policy = Policy.DEFAULTS;
    private boolean paused;
    private boolean removed;

    /// @param temporary whether it ends with the broker at the latest
    /// @param first sequence of its first message
    StoredDestination(int id, DestinationKind kind, String name, boolean temporary, long first) {
        this.id = id;
        this.kind = kind;
        this.name = name;
        this.temporary = temporary;
        this.next = first;
        this.reserved = first;
    }

    /// A message becomes available when the log has what was appended before.
    void onAppending(StoredMessage message) {
        appending++;
        appendingTransient += message.headers.persistent() ? 0 : 1;
    }

    /// The log has it.
    void onAppended(StoredMessage message) {
        appending--;
        appendingTransient -= message.headers.persistent() ? 0 : 1;
    }

    /// True if a message that need not wait for the log has to wait for one that came before: those
    /// of a delivery mode keep their order.
    boolean hasAppending(boolean persistent) {
        return (persistent ? appending : appendingTransient) > 0;
    }

    /// Bytes of heap that it takes without messages: an estimate.
    long heapBytes() {
        return HEAP_BYTES + 2L * name.length();
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

    /// True if it and its messages end with the broker at the latest.
    public boolean temporary() {
        return temporary;
    }

    /// True if it is gone. Who needs one of its name asks the shard again.
    public boolean removed() {
        return removed;
    }

    /// True if its consumers get nothing until somebody lets it go on.
    public boolean paused() {
        return paused;
    }

    void setPaused(boolean changed) {
        paused = changed;
    }

    /// Counts of what has happened to its messages.
    public Counts counts() {
        return counts;
    }

    /// The priorities of the messages that somebody needs, and of some that nobody does.
    Priorities priorities() {
        return priorities;
    }

    MessageSpace space() {
        return space;
    }

    Policy policy() {
        return policy;
    }

    void setPolicy(Policy changed) {
        policy = changed;
    }

    void onRemoved() {
        removed = true;
    }

    /// Number of subscriptions that it has: 1 for a queue.
    public int subscriptionCount() {
        return subscriptions.size();
    }

    /// Its subscriptions: that of a queue, or the durable ones of a topic.
    List<StoredSubscription> subscriptions() {
        return subscriptions;
    }

    /// Its subscriptions, of which a queue has one.
    public List<StoredSubscription> allSubscriptions() {
        return List.copyOf(subscriptions);
    }

    /// The one subscription that a queue has.
    ///
    /// @throws IllegalStateException if it is a topic, or has been removed
    public StoredSubscription queue() {
        if (kind != DestinationKind.QUEUE) {
            throw new IllegalStateException(name + " is a topic");
        }
        if (removed) {
            throw new IllegalStateException("queue " + name + " has been removed");
        }
        return subscriptions.get(0);
    }

    public long next() {
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

    /// Number of subscriptions that have not acknowledged a message.
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

    /// Bytes of heap that the places of these messages take.
    long windowHeapBytes() {
        return window.heapBytes();
    }

    int messagesInWindow() {
        return window.size();
    }

    /// Its messages that are in memory.
    List<StoredMessage> inWindow() {
        return window.values();
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + name;
    }
}
