package winnow.broker.shard;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.wire.Protocol;

/// A consumer of a queue or of a stored subscription: its credit, and what it has received and not
/// acknowledged. Owned by its shard.
public final class StoredConsumer {
    /// Highest credit kept, so that additions cannot overflow.
    private static final long MAX_CREDIT = 1L << 40;

    private final Lane lane;
    private final Receiver receiver;
    private final int maxUnacknowledged;
    private final DeliveryLimit limit;
    private final DeliveryShare share;

    /// Messages of its groups, which wait for its credit, and some that do not wait any more.
    private final Availability parked;

    private final Map<Long, Delivered> delivered = new LinkedHashMap<>();
    private final Groups.Owner owner = new Groups.Owner(this);

    /// Numbers of these messages by priority.
    private final int[] priorities = new int[Priorities.COUNT];

    private long creditMessages;
    private long creditBytes;
    private boolean closed;

    /// True if its client has given credit since it has taken it back.
    private boolean granted;

    /// True if [Recalls] knows that it has got something.
    private boolean recallable;

    /// Receiver of a consumer's messages. Called by the shard's thread.
    @FunctionalInterface
    public interface Receiver {
        /// @param consumer that it is for
        /// @param sequence by which the message is acknowledged
        /// @param earlierDeliveries how often it was delivered before, at least
        /// @param block the message block; not to be changed
        /// @param maxNameId largest number that the block may use for the name of a property
        void onMessage(
                StoredConsumer consumer,
                long sequence,
                int earlierDeliveries,
                byte[] block,
                int maxNameId);

        /// A message whose body is in parts: its receiver asks for them.
        ///
        /// @param consumer that it is for
        /// @param sequence by which the message is acknowledged
        /// @param earlierDeliveries how often it was delivered before, at least
        /// @param head the message block up to the body; not to be changed
        /// @param maxNameId largest number that the block may use for the name of a property
        default void onMessageInParts(
                StoredConsumer consumer,
                long sequence,
                int earlierDeliveries,
                byte[] head,
                int maxNameId,
                LargeBody body) {
            throw new UnsupportedOperationException("a message in parts");
        }

        /// Number that the receiver gives to the delivery that comes next, for
        /// [StoredConsumer#forEachDelivery].
        default long nextDelivery() {
            return 0;
        }

        /// Counts its deliveries together with those of other receivers. Asked once.
        default DeliveryShare share() {
            return new DeliveryShare();
        }

        /// Another consumer waits for what this one was sent ahead.
        default void onRecall() {}

        /// True if it takes messages now. One that did not is asked again after [Shard#resume].
        default boolean ready() {
            return true;
        }

        /// True if it takes a message of this length, which is delivered then. If not, it is not
        /// [#ready] for the moment.
        default boolean takes(int blockBytes) {
            return true;
        }
    }

    /// A message that has been delivered and not acknowledged.
    ///
    /// @param delivery what the receiver calls it
    /// @param group the key of its group, 0 if it has none
    /// @param last whether it is the last one of its group
    record Delivered(
            long sequence, byte priority, int bytes, long delivery, long group, boolean last) {
        /// Places in [DeliveryLimit]: what is kept of its group takes as much as two.
        int places() {
            return group == 0 ? 1 : 3;
        }
    }

    /// Takes deliveries that have not been acknowledged.
    @FunctionalInterface
    public interface DeliveryVisitor {
        /// @param delivery as the receiver has called it
        void onDelivery(long sequence, long delivery);
    }

    /// @param maxUnacknowledged so many messages, whatever its credit says
    /// @param limit of its deliveries and those of others
    StoredConsumer(Lane lane, Receiver receiver, int maxUnacknowledged, DeliveryLimit limit) {
        this.lane = lane;
        this.receiver = receiver;
        this.maxUnacknowledged = maxUnacknowledged;
        this.limit = limit;
        this.share = receiver.share();
        this.parked = new Availability(lane.subscription.destination().priorities());
    }

    public StoredSubscription subscription() {
        return lane.subscription;
    }

    Lane lane() {
        return lane;
    }

    /// It, as its groups know it.
    Groups.Owner owner() {
        return owner;
    }

    Availability parked() {
        return parked;
    }

    /// Messages that have been delivered and not acknowledged.
    public int unacknowledged() {
        return delivered.size();
    }

    boolean ready() {
        return creditMessages > 0 && creditBytes > 0 && hasRoom();
    }

    /// True if a message may come to it without credit, past others that it has. A few may.
    boolean mayPass(int priority) {
        return granted
                && creditMessages > -Protocol.PASSING_MESSAGES
                && creditBytes > -Protocol.PASSING_BYTES
                && hasLower(priority)
                && hasRoom();
    }

    private boolean hasLower(int priority) {
        for (int lower = 0; lower < priority; lower++) {
            if (priorities[lower] > 0) {
                return true;
            }
        }
        return false;
    }

    private boolean hasRoom() {
        return !closed
                && delivered.size() < maxUnacknowledged
                && limit.hasRoom(share, this)
                && receiver.ready();
    }

    /// True if there is room for a message on its way, which is delivered then. If not, it is not
    /// ready for the moment.
    boolean takes(StoredMessage message) {
        return receiver.takes(message.block.length);
    }

    /// It waits in vain: what others were sent ahead is asked back.
    ///
    /// @return the limit because of which it gets nothing, null if that is not so
    public @Nullable String ask() {
        lane.subscription.waiting().retainParked(parked);
        boolean any = lane.next() >= 0 || lane.hasUnseen() || parked.count() > 0;
        if (any) {
            return limitReached();
        }
        lane.subscription.recalls().ask(this);
        return null;
    }

    private @Nullable String limitReached() {
        if (delivered.size() >= maxUnacknowledged) {
            return "expected at most %d unacknowledged messages of one consumer"
                            .formatted(maxUnacknowledged)
                    + " (queue.max-unacknowledged), found "
                    + delivered.size();
        }
        return limit.hasRoom(share, this)
                ? null
                : "the consumers of the connection have too many unacknowledged messages: "
                        + share.count
                        + "; the limit follows from storage.window"
                        + limit.shortage();
    }

    /// It is asked for what it was sent ahead.
    void recall() {
        recallable = false;
        if (!closed && !delivered.isEmpty()) {
            receiver.onRecall();
        }
    }

    /// True if its client has given credit since it has taken it back.
    boolean granted() {
        return granted;
    }

    /// Forgets what is left of its credit.
    void endCredit() {
        granted = false;
        creditMessages = 0;
        creditBytes = 0;
    }

    /// Its client gives credit.
    void grant(int messages, int bytes) {
        granted |= messages > 0;
        addCredit(messages, bytes);
    }

    void addCredit(int messages, int bytes) {
        creditMessages = Math.min(MAX_CREDIT, creditMessages + messages);
        creditBytes = Math.min(MAX_CREDIT, creditBytes + bytes);
    }

    /// @param group of the message, null if it has none
    void deliver(StoredMessage message, int earlierDeliveries, GroupFinder.@Nullable Group group) {
        int bytes = message.bytes();
        creditMessages--;
        creditBytes -= bytes;
        Delivered made =
                new Delivered(
                        message.sequence,
                        (byte) message.headers.priority(),
                        bytes,
                        receiver.nextDelivery(),
                        group == null ? 0 : group.key(),
                        group != null && group.last());
        delivered.put(message.sequence, made);
        priorities[message.headers.priority()]++;
        lane.subscription.onDelivered();
        if (!recallable) {
            recallable = true;
            lane.subscription.recalls().add(this);
        }
        limit.onDelivered(share, made.places());
        if (message.body == null) {
            receiver.onMessage(
                    this, message.sequence, earlierDeliveries, message.block, message.maxNameId);
        } else {
            receiver.onMessageInParts(
                    this,
                    message.sequence,
                    earlierDeliveries,
                    message.block,
                    message.maxNameId,
                    message.body);
        }
    }

    /// A delivery, null if there is none of this message.
    @Nullable Delivered find(long sequence) {
        return delivered.get(sequence);
    }

    /// Takes a delivery out, null if there is none of this message.
    @Nullable Delivered remove(long sequence) {
        Delivered found = delivered.remove(sequence);
        if (found != null) {
            priorities[found.priority]--;
            lane.subscription.onDeliveryEnded();
        }
        return found;
    }

    /// Visits what has been delivered and not acknowledged, in its order.
    public void forEachDelivery(DeliveryVisitor visitor) {
        delivered.values().forEach(one -> visitor.onDelivery(one.sequence, one.delivery));
    }

    /// The deliveries, in their order.
    Iterable<Delivered> delivered() {
        return delivered.values();
    }

    /// Share that counts its deliveries.
    DeliveryShare share() {
        return share;
    }

    void close() {
        closed = true;
        limit.forget(share, this);
    }

    /// True if it gets no messages any more. What it has received may still be acknowledged or
    /// released.
    public boolean closed() {
        return closed;
    }
}
