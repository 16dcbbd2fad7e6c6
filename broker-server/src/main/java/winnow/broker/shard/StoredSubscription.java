package winnow.broker.shard;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// What a queue or a durable subscription has of its destination's messages: which it expects an
/// acknowledgement for, and which of these may be delivered now. Two bits per message, whatever its
/// size. Owned by its shard.
public final class StoredSubscription {
    private static final int PRIORITIES = 10;

    private final int id;
    private final StoredDestination destination;
    private final SubscriptionName name;

    /// What has not been acknowledged: it waits to be durable, for its time, for a consumer or for
    /// the consumer's acknowledgement.
    private final Roaring64Bitmap outstanding = new Roaring64Bitmap();

    /// What may be delivered, by priority.
    private final @Nullable Roaring64Bitmap[] available = new Roaring64Bitmap[PRIORITIES];

    private int availableCount;

    /// How often messages were delivered that were given back then.
    private final Map<Long, Integer> deliveries = new HashMap<>();

    /// Messages below this may have been delivered before the broker started.
    private long suspectBelow;

    private final Progress progress;
    private final Deque<StoredConsumer> consumers = new ArrayDeque<>();

    private long outstandingBytes;
    boolean dispatching;
    boolean loading;

    StoredSubscription(int id, StoredDestination destination, SubscriptionName name) {
        this.id = id;
        this.destination = destination;
        this.name = name;
        this.progress = new Progress(this);
    }

    /// Number within the shard, never given again.
    public int id() {
        return id;
    }

    public StoredDestination destination() {
        return destination;
    }

    /// What clients call it, and what it wants.
    public SubscriptionName name() {
        return name;
    }

    /// Messages that have not been acknowledged.
    public long messages() {
        return outstanding.getLongCardinality();
    }

    /// Bytes of these.
    public long bytes() {
        return outstandingBytes;
    }

    /// Messages that wait for a consumer.
    public int availableMessages() {
        return availableCount;
    }

    Progress progress() {
        return progress;
    }

    Deque<StoredConsumer> consumers() {
        return consumers;
    }

    /// Whether a message could be delivered now.
    boolean hasReadyConsumer() {
        for (StoredConsumer consumer : consumers) {
            if (consumer.ready()) {
                return true;
            }
        }
        return false;
    }

    /// Whether it gets a message.
    boolean wants(StoredMessage.Headers headers) {
        return !name.selective() || headers.recipients().contains(id);
    }

    /// The lowest sequence that has not been acknowledged.
    long head() {
        return outstanding.isEmpty() ? destination.next() : outstanding.first();
    }

    boolean expects(long sequence) {
        return outstanding.contains(sequence);
    }

    Roaring64Bitmap outstanding() {
        return outstanding;
    }

    /// A message is for this subscription.
    void onAppended(long sequence, int bytes) {
        outstanding.addLong(sequence);
        outstandingBytes += bytes;
    }

    /// A message may be delivered.
    void onAvailable(long sequence, int priority) {
        Roaring64Bitmap level = available[priority];
        if (level == null) {
            level = new Roaring64Bitmap();
            available[priority] = level;
        }
        level.addLong(sequence);
        availableCount++;
    }

    /// The message to be delivered next: of the highest priority, of these the oldest.
    ///
    /// @return its sequence, -1 if there is none
    long next() {
        for (int priority = PRIORITIES - 1; availableCount > 0 && priority >= 0; priority--) {
            Roaring64Bitmap level = available[priority];
            if (level != null && !level.isEmpty()) {
                return level.first();
            }
        }
        return -1;
    }

    /// The sequences that will be next, in order, as many as are wanted.
    long[] upcoming(int limit) {
        long[] found = new long[Math.min(limit, availableCount)];
        int count = 0;
        for (int priority = PRIORITIES - 1; count < found.length && priority >= 0; priority--) {
            Roaring64Bitmap level = available[priority];
            if (level == null) {
                continue;
            }
            LongIterator sequences = level.getLongIterator();
            while (count < found.length && sequences.hasNext()) {
                found[count++] = sequences.next();
            }
        }
        return found;
    }

    /// A message is about to be delivered, or has ended.
    void take(long sequence, int priority) {
        Roaring64Bitmap level = available[priority];
        if (level == null || !level.contains(sequence)) {
            throw new IllegalStateException(
                    "message " + sequence + " of " + this + " is not available");
        }
        level.removeLong(sequence);
        availableCount--;
    }

    /// Takes a message that may be available.
    ///
    /// @return whether it was
    boolean withdraw(long sequence) {
        for (int priority = 0; priority < PRIORITIES; priority++) {
            Roaring64Bitmap level = available[priority];
            if (level != null && level.contains(sequence)) {
                take(sequence, priority);
                return true;
            }
        }
        return false;
    }

    /// A message has been acknowledged, or needs no acknowledgement any more.
    ///
    /// @param stored whether the log has it
    void onAcknowledged(long sequence, int bytes, boolean stored) {
        outstanding.removeLong(sequence);
        outstandingBytes -= bytes;
        if (stored) {
            progress.onAcknowledged(sequence);
        }
        if (deliveries.remove(sequence) != null && stored) {
            progress.onCountRemoved(sequence);
        }
    }

    /// How often the message was delivered before, at least.
    int earlierDeliveries(long sequence) {
        return deliveries.getOrDefault(sequence, sequence < suspectBelow ? 1 : 0);
    }

    /// A message that was delivered is given back.
    ///
    /// @param stored whether the log has it
    /// @return how often it was delivered, as far as that counts
    int onReleased(long sequence, Return how, boolean stored) {
        int earlier = earlierDeliveries(sequence);
        int count =
                switch (how) {
                    case UNSEEN -> earlier;
                    case UNKNOWN -> Math.max(1, earlier);
                    case FAILED -> earlier + 1;
                };
        if (count > 0) {
            deliveries.put(sequence, count);
            if (stored) {
                progress.onCount(sequence, count);
            }
        }
        return count;
    }

    /// The subscription has ended.
    void clear() {
        outstanding.clear();
        Arrays.fill(available, null);
        availableCount = 0;
        outstandingBytes = 0;
    }

    /// The log gets a message that it had not.
    void onStored(long sequence) {
        if (!expects(sequence)) {
            progress.onAcknowledged(sequence);
        } else if (earlierDeliveries(sequence) > 0) {
            progress.onCount(sequence, earlierDeliveries(sequence));
        }
    }

    /// What a log says of the time before.
    void recover(long suspectBelow, Map<Long, Integer> counts) {
        this.suspectBelow = suspectBelow;
        deliveries.putAll(counts);
    }

    @Override
    public String toString() {
        return name.display().isEmpty() ? destination.toString() : "subscription " + name.display();
    }
}
