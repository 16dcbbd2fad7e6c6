package winnow.client.acknowledge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import winnow.client.log.ClientLog;
import winnow.client.message.MessageOrigin;
import winnow.client.message.ReceivedMessages;
import winnow.client.message.WinnowMessage;
import winnow.client.receive.PrefetchWindow;

/// CLIENT_ACKNOWLEDGE and transactions, for messages of live subscriptions: keeps the messages that
/// the session has delivered until one of them is acknowledged. If [UnacknowledgedMemory] has no
/// room for one, it counts against the prefetch window of its consumer until then: a consumer that
/// has delivered a whole window so gets no more messages before the application acknowledges.
///
/// Keeps the block that was received, not what the application's message has decoded.
public final class ClientAcknowledging implements Acknowledging {
    private static final Logger LOG = ClientLog.of(ClientAcknowledging.class);

    private final int maxDeliveries;
    private final UnacknowledgedMemory memory;

    /// In the order of delivery. Guarded by itself, as are the consumers' windows.
    private final ArrayDeque<Delivered> unacknowledged = new ArrayDeque<>();

    /// @param maxDeliveries so many times a message is delivered at most
    public ClientAcknowledging(int maxDeliveries, UnacknowledgedMemory memory) {
        this.maxDeliveries = maxDeliveries;
        this.memory = memory;
    }

    @Override
    public void onDelivery(PrefetchConsumer consumer, WinnowMessage message) {
        Delivered delivered = new Delivered(consumer, message);
        synchronized (unacknowledged) {
            unacknowledged.add(delivered);
            delivered.charged = memory.take(delivered.heapBytes());
            if (delivered.charged) {
                consumer.onConsumed(delivered.frameBytes);
            } else if (delivered.frameBytes > 0) {
                consumer.onHeld(delivered.frameBytes);
            }
        }
    }

    @Override
    public void onReceived(PrefetchConsumer consumer, WinnowMessage message) {
        onDelivery(consumer, message);
    }

    @Override
    public void onExpired(PrefetchConsumer consumer, WinnowMessage message) {
        synchronized (unacknowledged) {
            consumer.onConsumed(message.frameBytes());
        }
    }

    /// A listener that throws changes nothing: the message stays unacknowledged.
    @Override
    public void onListenerReturn(
            PrefetchConsumer consumer, WinnowMessage message, boolean failed) {}

    /// The message is delivered all the same, and comes again after recover.
    @Override
    public void onUnusableBody(PrefetchConsumer consumer, WinnowMessage message) {
        onReceived(consumer, message);
    }

    @Override
    public void acknowledge() {
        synchronized (unacknowledged) {
            unacknowledged.forEach(this::release);
            for (Delivered delivered : unacknowledged) {
                delivered.consumer.onConsumed(delivered.credit());
            }
            unacknowledged.clear();
        }
    }

    @Override
    public void recover() {
        Map<PrefetchConsumer, List<WinnowMessage>> again = new LinkedHashMap<>();
        synchronized (unacknowledged) {
            for (Delivered delivered : unacknowledged) {
                release(delivered);
                if (delivered.deliveryCount >= maxDeliveries) {
                    LOG.warn("dropped a message that was rolled back {} times", maxDeliveries);
                    delivered.consumer.onConsumed(delivered.credit());
                    continue;
                }
                again.computeIfAbsent(delivered.consumer, consumer -> new ArrayList<>())
                        .add(delivered.redelivery());
            }
            unacknowledged.clear();
        }
        again.forEach(PrefetchConsumer::putBack);
    }

    @Override
    public void onClosed(PrefetchConsumer consumer) {
        synchronized (unacknowledged) {
            unacknowledged.removeIf(delivered -> {
                boolean leaves = delivered.consumer.equals(consumer);
                if (leaves) {
                    release(delivered);
                }
                return leaves;
            });
        }
    }

    /// A message is not kept any more.
    private void release(Delivered delivered) {
        if (delivered.charged) {
            memory.giveBack(delivered.heapBytes());
        } else if (delivered.frameBytes > 0) {
            delivered.consumer.window().release(delivered.frameBytes);
        }
    }

    private static final class Delivered {
        private final PrefetchConsumer consumer;
        private final byte[] block;

        /// Has the body that is not in the block, null if that is.
        private final @Nullable WinnowMessage inFile;

        /// Knows the names of properties of the connection that the block has come on.
        private final MessageOrigin origin;

        private final int deliveryCount;
        private final int frameBytes;

        /// True if it is charged to the memory, and has given its credit back.
        private boolean charged;

        Delivered(PrefetchConsumer consumer, WinnowMessage message) {
            this.consumer = consumer;
            block = message.receivedBlock();
            origin = message.origin();
            inFile = message.staysInFile() ? message.undelivered() : null;
            deliveryCount = message.deliveryCount();
            frameBytes = message.frameBytes();
        }

        long heapBytes() {
            return PrefetchWindow.MESSAGE_HEAP_BYTES + (long) block.length;
        }

        /// Credit of its consumer that it has not given back.
        int credit() {
            return charged ? 0 : frameBytes;
        }

        WinnowMessage redelivery() {
            return inFile == null
                    ? ReceivedMessages.of(block, origin, credit(), deliveryCount + 1)
                    : inFile.redelivery(credit());
        }
    }
}
