package winnow.broker.destination;

import java.util.Arrays;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.Subscription;

/// Messages of one batch on their way from a publisher's loop to the subscriptions of another loop:
/// one task for all of them. Filled by the sending loop, then run by the receiving one.
final class Handover implements Runnable {
    private static final int FIRST_BYTES = 4 * 1024;
    private static final int FIRST_ENTRIES = 64;
    private static final int INTS_PER_ENTRY = 3;

    private final Router sender;
    private final Loop receivingLoop;
    private byte[] data = new byte[FIRST_BYTES];
    private int dataSize;
    private Subscription[] subscriptions = new Subscription[FIRST_ENTRIES];

    /// Start, end and largest name number of each entry's block.
    private int[] blocks = new int[FIRST_ENTRIES * INTS_PER_ENTRY];

    private int count;
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
        int length = end - start;
        if (message != lastMessage) {
            lastMessage = message;
            if (data.length - dataSize < length) {
                data = Arrays.copyOf(data, Math.max(2 * data.length, dataSize + length));
            }
            System.arraycopy(array, start, data, dataSize, length);
            dataSize += length;
        }
        if (count == subscriptions.length) {
            subscriptions = Arrays.copyOf(subscriptions, 2 * count);
            blocks = Arrays.copyOf(blocks, 2 * count * INTS_PER_ENTRY);
        }
        subscriptions[count] = subscription;
        int at = count * INTS_PER_ENTRY;
        blocks[at] = dataSize - length;
        blocks[at + 1] = dataSize;
        blocks[at + 2] = names;
        count++;
    }

    @Override
    public void run() {
        for (int i = 0; i < count; i++) {
            int at = i * INTS_PER_ENTRY;
            if (i == 0 || blocks[at] != blocks[at - INTS_PER_ENTRY]) {
                receivingLoop.beginMessage();
            }
            subscriptions[i].onMessage(data, blocks[at], blocks[at + 1], blocks[at + 2]);
        }
        sender.onTaken(receivingLoop.index(), dataSize);
    }
}
