package winnow.broker.shard;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A consumer of a queue or of a durable subscription: its credit, and what it has received and not
/// acknowledged. Owned by its shard.
public final class StoredConsumer {
    /// Highest credit kept, so that additions cannot overflow.
    private static final long MAX_CREDIT = 1L << 40;

    private final Lane lane;
    private final Receiver receiver;
    private final Map<Long, Delivered> delivered = new LinkedHashMap<>();
    private long creditMessages;
    private long creditBytes;
    private boolean closed;

    /// Where a consumer's messages go. Called by the shard's thread.
    @FunctionalInterface
    public interface Receiver {
        /// @param sequence by which the message is acknowledged
        /// @param earlierDeliveries how often it was delivered before, at least
        /// @param block the message block; not to be changed
        void onMessage(long sequence, int earlierDeliveries, byte[] block);
    }

    /// A message that has been delivered and not acknowledged.
    record Delivered(long sequence, int priority, int bytes) {}

    StoredConsumer(Lane lane, Receiver receiver) {
        this.lane = lane;
        this.receiver = receiver;
    }

    public StoredSubscription subscription() {
        return lane.subscription;
    }

    Lane lane() {
        return lane;
    }

    /// Messages that have been delivered and not acknowledged.
    public int unacknowledged() {
        return delivered.size();
    }

    boolean ready() {
        return !closed && creditMessages > 0 && creditBytes > 0;
    }

    void addCredit(int messages, int bytes) {
        creditMessages = Math.min(MAX_CREDIT, creditMessages + messages);
        creditBytes = Math.min(MAX_CREDIT, creditBytes + bytes);
    }

    void deliver(StoredMessage message, int earlierDeliveries) {
        creditMessages--;
        creditBytes -= message.block.length;
        delivered.put(
                message.sequence,
                new Delivered(message.sequence, message.headers.priority(), message.block.length));
        receiver.onMessage(message.sequence, earlierDeliveries, message.block);
    }

    /// Takes a delivery out, null if there is none of this message.
    @Nullable Delivered remove(long sequence) {
        return delivered.remove(sequence);
    }

    @Nullable Delivered find(long sequence) {
        return delivered.get(sequence);
    }

    /// The deliveries, in their order.
    Iterable<Delivered> delivered() {
        return delivered.values();
    }

    void close() {
        closed = true;
    }

    boolean closed() {
        return closed;
    }
}
