package winnow.broker.destination;

import java.util.Arrays;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.Subscription;

/// Messages of one batch on their way from a publisher's loop to the subscriptions of another loop:
/// one task for all of them. Filled by the sending loop, then run by the receiving one.
final class Handover implements Runnable {
    private static final int FIRST_BYTES = 4 * 1024;

    /// It is sent before it has more, but for the last message and its copies.
    private static final int FULL_BYTES = 256 * 1024;

    private final Router sender;
    private final Loop receivingLoop;
    private final long sampledReadNanos;
    private final DeliveryBatch batch = new DeliveryBatch();
    private byte[] data;
    private int dataSize;
    private long lastMessage = -1;

    /// @param sampledReadNanos when its messages were read, 0 if that is not to be measured
    Handover(Router sender, Loop receivingLoop, long sampledReadNanos) {
        this.sender = sender;
        this.receivingLoop = receivingLoop;
        this.sampledReadNanos = sampledReadNanos;
        sender.onSending(receivingLoop.index(), FIRST_BYTES);
        data = new byte[FIRST_BYTES];
    }

    /// Whether it has so much that it had better be sent before this message is added.
    ///
    /// @param message number of the message on the sending loop
    boolean isFullBefore(long message) {
        return message != lastMessage
                && (dataSize >= FULL_BYTES || batch.copies() >= Router.MAX_COPIES);
    }

    /// Adds a message for one subscription; its bytes are copied once per message.
    ///
    /// @param message number of the message on the sending loop
    void add(Subscription subscription, long message, byte[] array, int start, int end, int names) {
        if (message != lastMessage) {
            lastMessage = message;
            int length = end - start;
            if (data.length - dataSize < length) {
                int newLength = Math.max(2 * data.length, dataSize + length);
                sender.onSending(receivingLoop.index(), newLength - data.length);
                data = Arrays.copyOf(data, newLength);
            }
            System.arraycopy(array, start, data, dataSize, length);
            batch.addMessage(dataSize, dataSize + length, names);
            dataSize += length;
        }
        batch.addCopy(subscription);
    }

    @Override
    public void run() {
        try {
            batch.deliver(receivingLoop, data, sampledReadNanos);
        } finally {
            sender.onTaken(receivingLoop.index(), data.length);
        }
    }
}
