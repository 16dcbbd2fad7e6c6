package winnow.client;

import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import winnow.client.message.WinnowMessage;

/// CLIENT_ACKNOWLEDGE: keeps the messages that the session has delivered until one of them is
/// acknowledged. They do not count against the prefetch window, so the application decides how many
/// it lets pile up.
final class ClientAcknowledging implements Acknowledging {
    /// Consumers and messages in the order of delivery. Guarded by itself.
    private final ArrayDeque<Delivered> unacknowledged = new ArrayDeque<>();

    @Override
    public void onDelivery(WinnowConsumer consumer, WinnowMessage message) {
        synchronized (unacknowledged) {
            unacknowledged.add(new Delivered(consumer, message));
        }
    }

    /// A listener that throws changes nothing: the message stays unacknowledged.
    @Override
    public void onListenerReturn(WinnowConsumer consumer, WinnowMessage message, boolean failed) {}

    /// The message is delivered all the same, and comes again after recover.
    @Override
    public void onUnusableBody(WinnowConsumer consumer, WinnowMessage message) {}

    @Override
    public void acknowledge() {
        synchronized (unacknowledged) {
            unacknowledged.clear();
        }
    }

    @Override
    public void recover() throws JMSException {
        Map<WinnowConsumer, List<WinnowMessage>> again = new LinkedHashMap<>();
        synchronized (unacknowledged) {
            for (Delivered delivered : unacknowledged) {
                again.computeIfAbsent(delivered.consumer, consumer -> new ArrayList<>())
                        .add(delivered.message.redelivery());
            }
            unacknowledged.clear();
        }
        again.forEach(WinnowConsumer::putBack);
    }

    private record Delivered(WinnowConsumer consumer, WinnowMessage message) {}
}
