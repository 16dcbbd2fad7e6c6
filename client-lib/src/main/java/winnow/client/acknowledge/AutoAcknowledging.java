package winnow.client.acknowledge;

import java.util.List;
import org.slf4j.Logger;
import winnow.client.log.ClientLog;
import winnow.client.message.WinnowMessage;

/// AUTO_ACKNOWLEDGE and DUPS_OK_ACKNOWLEDGE, for messages of live subscriptions: a message is
/// acknowledged when receive has returned it or its listener has returned. A listener that throws,
/// or calls recover, gets the message again at once, at most [#MAX_DELIVERIES] times in all; after
/// that it is dropped.
public final class AutoAcknowledging implements Acknowledging {
    /// Deliveries of one message to a listener that keeps failing.
    public static final int MAX_DELIVERIES = 7;

    private static final Logger LOG = ClientLog.of(AutoAcknowledging.class);

    private volatile boolean recovering;

    @Override
    public void onDelivery(PrefetchConsumer consumer, WinnowMessage message) {
        if (recovering) {
            recovering = false;
        }
    }

    @Override
    public void onReceived(PrefetchConsumer consumer, WinnowMessage message) {
        onDelivery(consumer, message);
        consumer.onConsumed(message.frameBytes());
    }

    @Override
    public void onExpired(PrefetchConsumer consumer, WinnowMessage message) {
        consumer.onConsumed(message.frameBytes());
    }

    @Override
    public void onListenerReturn(PrefetchConsumer consumer, WinnowMessage message, boolean failed) {
        if (!failed && !recovering) {
            consumer.onConsumed(message.frameBytes());
            return;
        }
        boolean again = recovering || message.deliveryCount() < MAX_DELIVERIES;
        recovering = false;
        if (again) {
            consumer.putBack(List.of(message.redelivery()));
        } else {
            LOG.warn("dropped a message whose listener failed {} times", MAX_DELIVERIES);
            consumer.onConsumed(message.frameBytes());
        }
    }

    /// As if it had not been delivered: the application gets it again before any other.
    @Override
    public void onUnusableBody(PrefetchConsumer consumer, WinnowMessage message) {
        consumer.putBack(List.of(message.undelivered()));
    }

    @Override
    public void acknowledge() {}

    /// Has an effect only inside a listener: nothing else is unacknowledged.
    @Override
    public void recover() {
        recovering = true;
    }

    @Override
    public void onClosed(PrefetchConsumer consumer) {}
}
