package winnow.broker.routing;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.Subscription;
import winnow.wire.MessageBlock;

/// Messages of one batch on their way from a publisher's loop to the subscriptions of another loop:
/// one task for all of them. It has copies of them, or one [SharedMessage]. Filled by the sending
/// loop, then run by the receiving one.
final class Handover implements Runnable {
    private static final int FIRST_BYTES = 4 * 1024;

    /// It is sent before it has more, but for the last message and its copies.
    private static final int FULL_BYTES = 256 * 1024;

    private final Router sender;
    private final Loop receivingLoop;
    private final long sampledReadNanos;
    private final @Nullable SharedMessage shared;
    private final DeliveryBatch batch = new DeliveryBatch();
    private byte[] data;
    private int dataSize;
    private long lastMessage = -1;

    /// @param sampledReadNanos when its messages were read, 0 if that is not to be measured
    /// @param shared its only message, null if it has copies
    Handover(
            Router sender,
            Loop receivingLoop,
            long sampledReadNanos,
            @Nullable SharedMessage shared) {
        this.sender = sender;
        this.receivingLoop = receivingLoop;
        this.sampledReadNanos = sampledReadNanos;
        this.shared = shared;
        int index = receivingLoop.index();
        if (shared == null) {
            sender.onSending(index, FIRST_BYTES);
            data = new byte[FIRST_BYTES];
        } else {
            data = shared.array();
            if (shared.onSending(index)) {
                sender.onSending(index, shared.length());
            }
        }
    }

    /// True if it takes this message, too; otherwise it had better be sent before.
    ///
    /// @param message number of the message on the sending loop
    /// @param newShared the message if it is shared
    boolean takes(long message, @Nullable SharedMessage newShared) {
        return message == lastMessage
                || (shared == null
                        && newShared == null
                        && dataSize < FULL_BYTES
                        && batch.copies() < Router.MAX_COPIES);
    }

    /// Adds a message for one subscription; its bytes are copied once per message, or not at all.
    ///
    /// @param message number of the message on the sending loop
    void add(Subscription subscription, long message, MessageBlock block, int maxNameId) {
        if (message != lastMessage) {
            lastMessage = message;
            if (shared == null) {
                copy(block, maxNameId);
            } else {
                batch.addMessage(block.start(), block.end(), maxNameId);
                batch.share(shared);
            }
        }
        batch.addCopy(subscription);
    }

    private void copy(MessageBlock block, int maxNameId) {
        int length = block.length();
        if (data.length - dataSize < length) {
            int newLength = Math.max(2 * data.length, dataSize + length);
            sender.onSending(receivingLoop.index(), newLength - data.length);
            data = Arrays.copyOf(data, newLength);
        }
        System.arraycopy(block.array(), block.start(), data, dataSize, length);
        batch.addMessage(dataSize, dataSize + length, maxNameId);
        dataSize += length;
    }

    @Override
    public void run() {
        int index = receivingLoop.index();
        try {
            batch.deliver(receivingLoop, data, sampledReadNanos);
        } finally {
            SharedMessage only = shared;
            if (only == null) {
                sender.onTaken(index, data.length);
            } else if (only.onTaken(index)) {
                sender.onTaken(index, only.length());
            }
        }
    }
}
