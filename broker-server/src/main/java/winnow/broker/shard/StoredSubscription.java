package winnow.broker.shard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// What a queue or a durable subscription has of its destination's messages: which it expects an
/// acknowledgement for, and which of these may be delivered now. Two bits per message, whatever its
/// size. Owned by its shard.
public final class StoredSubscription {
    private final int id;
    private final StoredDestination destination;
    private final SubscriptionName name;

    /// What has not been acknowledged: it waits to be durable, for its time, for a consumer or for
    /// the consumer's acknowledgement.
    private final Roaring64Bitmap outstanding = new Roaring64Bitmap();

    /// What may be delivered.
    private final Availability available = new Availability();

    private final Lane all = new Lane(this, available);
    private final Map<MessageFilter, Lane> filtered = new LinkedHashMap<>();

    /// How often messages were delivered that were given back then.
    private final Map<Long, Integer> deliveries = new HashMap<>();

    /// Messages below this may have been delivered before the broker started.
    private long suspectBelow;

    private final Progress progress;

    private long outstandingBytes;

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
        return available.count();
    }

    Progress progress() {
        return progress;
    }

    /// Whether a message could be delivered now, if somebody wants it.
    boolean hasReadyConsumer() {
        return all.hasReadyConsumer()
                || filtered.values().stream().anyMatch(Lane::hasReadyConsumer);
    }

    /// All lanes.
    List<Lane> lanes() {
        List<Lane> lanes = new ArrayList<>(filtered.values());
        lanes.add(all);
        return lanes;
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
    ///
    /// @param head its block, at least up to the body; null if it is not in memory
    /// @param affected gets the lanes that may have something to do
    void onAvailable(long sequence, int priority, byte @Nullable [] head, Consumer<Lane> affected) {
        available.add(sequence, priority);
        affected.accept(all);
        for (Lane lane : filtered.values()) {
            if (lane.onAvailable(sequence, priority, head)) {
                affected.accept(lane);
            }
        }
    }

    /// Whether a message waits for a consumer.
    boolean isAvailable(long sequence) {
        return available.contains(sequence);
    }

    /// A message is about to be delivered, or has ended.
    ///
    /// @return whether it was available
    boolean take(long sequence) {
        return available.remove(sequence);
    }

    /// The lane of consumers with that filter.
    Lane lane(@Nullable MessageFilter filter) {
        return filter == null
                ? all
                : filtered.computeIfAbsent(filter, key -> new Lane(this, key, available.all()));
    }

    /// A consumer has gone; its lane may have become useless.
    void onDetached(Lane lane) {
        if (lane.filter != null && lane.consumers().isEmpty()) {
            filtered.remove(lane.filter);
        }
    }

    /// A message has been acknowledged, or needs no acknowledgement any more.
    ///
    /// @param bytes of its block, 0 if that is not known
    /// @param stored whether the log has it
    void onAcknowledged(long sequence, int bytes, boolean stored) {
        outstanding.removeLong(sequence);
        outstandingBytes = outstanding.isEmpty() ? 0 : outstandingBytes - bytes;
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
        available.clear();
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

    /// Every delivery has come back.
    void settle() {
        progress.settle(suspectBelow);
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
