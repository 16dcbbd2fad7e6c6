package winnow.broker.destination;

import java.util.Arrays;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.Subscription;

/// Messages of one batch on their way from a publisher's loop to the subscriptions of another loop:
/// one task for all of them. Filled by the sending loop, then run by the receiving one.
final class Handover implements Runnable {
    private static final int FIRST_BYTES = 4 * 1024;

    private final Router sender;
    private final Loop receivingLoop;
    private final DeliveryBatch batch = new DeliveryBatch();
    private byte[] data = new byte[FIRST_BYTES];
    private int dataSize;
    private long lastMessage = -1;

    Handover(Router sender, Loop receivingLoop) {
        this.sender = sender;
        this.receivingLoop = receivingLoop;
    }

    /// Bytes of the messages in it.
    int bytes() {
        return dataSize;
    }

    /// Adds a message for one subscription; its bytes are copied once per message.
    ///
    /// @param message number of the message on the sending loop
    void add(Subscription subscription, long message, byte[] array, int start, int end, int names) {
        if (message != lastMessage) {
            lastMessage = message;
            int length = end - start;
            if (data.length - dataSize < length) {
                data = Arrays.copyOf(data, Math.max(2 * data.length, dataSize + length));
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
            batch.deliver(receivingLoop, data);
        } finally {
            sender.onTaken(receivingLoop.index(), dataSize);
        }
    }
}
