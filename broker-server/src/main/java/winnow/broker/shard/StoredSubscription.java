package winnow.broker.shard;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;
import winnow.wire.DestinationKind;

/// Messages of its destination that a queue or a stored subscription of a topic has: which it
/// expects an acknowledgement for, and which of these may be delivered now. Two bits per message,
/// whatever its size, and one or two more if it waits for its group. Owned by its shard.
public final class StoredSubscription {
    private static final int HEAP_BYTES = 2048;

    /// Count in the log of a message that may have been delivered once, and has not failed.
    static final int MARKED = -1;

    /// Of a selector: its text, its parsed form, and its entries in an index.
    private static final int HEAP_BYTES_PER_CHARACTER = 16;

    private final int id;
    private final StoredDestination destination;
    private final SubscriptionName name;

    /// Messages that have not been acknowledged: each waits to be durable, for its time, for a
    /// consumer or for the consumer's acknowledgement.
    private final SequenceSet outstanding = new SequenceSet();

    /// Messages that may be delivered.
    private final WaitingList waiting;

    private final Lanes lanes;

    /// By their keys.
    private final Map<Long, HeldGroups.Held> heldGroups = new HashMap<>(0);

    /// Number of times that messages were delivered that were given back then.
    private final DeliveryCounts deliveries = new DeliveryCounts();

    /// Messages that have expired while they could not be taken, because they were with a consumer
    /// or part of a prepared transaction.
    private final SequenceSet expired = new SequenceSet();

    /// Messages below this may have been delivered before the broker started.
    private long suspectBelow;

    private final Progress progress;

    private final OldestMessage oldest = new OldestMessage(this);

    private final Recalls recalls = new Recalls();

    private long outstandingBytes;

    /// Messages that are with consumers, or were when these ended.
    private int unacknowledged;

    private boolean ended;

    /// Owner of the share of the catalog that it takes, empty if nobody's.
    String owner = "";

    /// Bytes that the catalog has charged for its sets.
    long chargedSetBytes;

    StoredSubscription(int id, StoredDestination destination, SubscriptionName name) {
        this.id = id;
        this.destination = destination;
        this.name = name;
        this.waiting = new WaitingList(destination.priorities());
        this.lanes = new Lanes(this, waiting.available());
        this.progress = new Progress(this);
    }

    /// Bytes of heap that it takes without messages, an estimate; those of a queue are part of what
    /// the queue takes.
    long heapBytes() {
        if (destination.kind() == DestinationKind.QUEUE) {
            return 0;
        }
        return heapBytes(name);
    }

    /// Heap that a subscription of a topic takes, with its name and filter, without its messages:
    /// an estimate in bytes.
    public static long heapBytes(SubscriptionName name) {
        int names = name.clientId().length() + name.subscription().length();
        int filter = name.selector().length() + name.correlationFilter().length();
        return HEAP_BYTES + 2L * names + (long) HEAP_BYTES_PER_CHARACTER * filter;
    }

    /// Heap of its sets: messages that come and go in order make them no larger.
    long setBytes() {
        return outstanding.bitmapBytes()
                + waiting.heapBytes()
                + expired.bitmapBytes()
                + deliveries.heapBytes()
                + progress.heapBytes();
    }

    /// Number within the shard, never given again.
    public int id() {
        return id;
    }

    public StoredDestination destination() {
        return destination;
    }

    /// Name that clients call it by, and what it wants.
    public SubscriptionName name() {
        return name;
    }

    /// True if it and its messages survive the broker.
    public boolean durable() {
        return name.durable();
    }

    /// True if it is gone.
    public boolean ended() {
        return ended;
    }

    /// Messages that have not been acknowledged.
    public long messages() {
        return outstanding.count();
    }

    /// Bytes of these.
    public long bytes() {
        return outstandingBytes;
    }

    /// Messages that wait for a consumer.
    public int availableMessages() {
        return waiting.count();
    }

    /// Messages that have been delivered and not acknowledged.
    public int unacknowledged() {
        return unacknowledged;
    }

    /// Consumers that it has now.
    public int consumers() {
        return lanes.consumers();
    }

    void onDelivered() {
        unacknowledged++;
    }

    void onDeliveryEnded() {
        unacknowledged--;
    }

    /// When the oldest message was sent that has not been acknowledged, in ms since 1970.
    ///
    /// @return empty if there is none, it does not say, or it has left the memory and
    ///   [OldestMessages] has not read it
    public OptionalLong oldestTimestamp() {
        return oldest.sent();
    }

    /// Since when a message waits that has not been acknowledged, in ms since 1970: since it was
    /// sent or, if it was for later, since it could be delivered.
    ///
    /// @return empty as above
    public OptionalLong waitingSince(long nowMillis) {
        return oldest.waitingSince(nowMillis);
    }

    OldestMessage oldest() {
        return oldest;
    }

    Recalls recalls() {
        return recalls;
    }

    WaitingList waiting() {
        return waiting;
    }

    /// The groups that have to wait, by their keys.
    Map<Long, HeldGroups.Held> heldGroups() {
        return heldGroups;
    }

    Progress progress() {
        return progress;
    }

    Lanes lanes() {
        return lanes;
    }

    /// True if it gets a message.
    boolean wants(MessageHeaders headers) {
        return !name.selective() || headers.recipients().contains(id);
    }

    /// The lowest sequence that has not been acknowledged.
    long head() {
        return outstanding.isEmpty() ? destination.next() : outstanding.first();
    }

    boolean expects(long sequence) {
        return outstanding.contains(sequence);
    }

    SequenceSet outstanding() {
        return outstanding;
    }

    /// A message is for this subscription.
    void onAppended(long sequence, int bytes) {
        outstanding.add(sequence);
        outstandingBytes += bytes;
    }

    /// A message may be delivered.
    ///
    /// @param head its block, at least up to the body; null if it is not in memory
    /// @param affected gets the lanes that may have something to do
    void onAvailable(long sequence, int priority, byte @Nullable [] head, Consumer<Lane> affected) {
        waiting.available().add(sequence, priority);
        lanes.onAvailable(sequence, priority, head, affected);
    }

    /// Messages that were [parked][WaitingList] may be delivered.
    ///
    /// @param affected gets the lanes that may have something to do
    void unpark(Roaring64Bitmap sequences, Consumer<Lane> affected) {
        Roaring64Bitmap unparked = waiting.unpark(sequences);
        if (!unparked.isEmpty()) {
            lanes.onUnparked(unparked, affected);
        }
    }

    /// True if any consumer may have a message.
    boolean isAvailable(long sequence) {
        return waiting.available().contains(sequence);
    }

    /// A message is about to be delivered, or has ended.
    ///
    /// @return whether it waited
    boolean take(long sequence) {
        return waiting.remove(sequence);
    }

    /// A message has expired that cannot be taken now.
    void onExpired(long sequence) {
        expired.add(sequence);
    }

    /// True if a message that comes back has expired meanwhile.
    boolean hasExpired(long sequence) {
        return expired.contains(sequence);
    }

    /// A message has been acknowledged, or needs no acknowledgement any more.
    ///
    /// @param bytes of its block, 0 if that is not known
    /// @param stored whether the log has it
    void onAcknowledged(long sequence, int bytes, boolean stored) {
        outstanding.remove(sequence);
        expired.remove(sequence);
        outstandingBytes = outstanding.isEmpty() ? 0 : outstandingBytes - bytes;
        boolean written = stored && durable();
        if (written) {
            progress.onAcknowledged(sequence);
        }
        if (deliveries.remove(sequence) && written) {
            progress.onCount(sequence);
        }
    }

    /// Number of times that the message was delivered before, at least.
    int earlierDeliveries(long sequence) {
        int counted = deliveries.get(sequence);
        return counted > 0 ? counted : sequence < suspectBelow ? 1 : 0;
    }

    /// The same, as far as it has failed: one that comes back unseen, or from a lost client, is
    /// only marked.
    int failedDeliveries(long sequence) {
        return deliveries.isMarked(sequence) ? 0 : deliveries.get(sequence);
    }

    /// The count that the log has to have of a message; 0 if it has to have none, [#MARKED] if it
    /// has not failed.
    int countedDeliveries(long sequence) {
        return deliveries.isMarked(sequence) ? MARKED : deliveries.get(sequence);
    }

    /// A message that was delivered is given back.
    ///
    /// @param stored whether the log has it
    /// @return how often it was delivered, as far as that counts
    int onReleased(long sequence, Return how, boolean stored) {
        int earlier = earlierDeliveries(sequence);
        if (how == Return.FAILED) {
            deliveries.put(sequence, earlier + 1);
        } else if (how == Return.UNKNOWN || earlier > 0) {
            deliveries.mark(sequence);
        }
        int count = deliveries.get(sequence);
        if (count > 0 && stored && durable()) {
            progress.onCount(sequence);
        }
        return count;
    }

    /// The subscription has ended.
    void end() {
        ended = true;
        outstanding.clear();
        expired.clear();
        waiting.clear();
        heldGroups.clear();
        deliveries.clear();
        outstandingBytes = 0;
    }

    /// The log gets a message that it had not.
    void onStored(long sequence) {
        if (!durable()) {
            return;
        }
        if (!expects(sequence)) {
            progress.onAcknowledged(sequence);
        } else if (earlierDeliveries(sequence) > 0) {
            deliveries.mark(sequence);
            progress.onCount(sequence);
        }
    }

    /// Every delivery has come back.
    void settle() {
        progress.settle(suspectBelow);
    }

    /// Recovers what a log says of the time before.
    void recover(long suspectBelow) {
        this.suspectBelow = suspectBelow;
    }

    /// A log has a count of a message.
    void recoverCount(long sequence, int count) {
        if (count == MARKED) {
            deliveries.mark(sequence);
        } else if (count > 0) {
            deliveries.put(sequence, count);
        }
    }

    @Override
    public String toString() {
        return name.display().isEmpty() ? destination.toString() : "subscription " + name.display();
    }
}
