package winnow.client.acknowledge;

import jakarta.jms.JMSException;
import winnow.client.message.WinnowMessage;

/// An acknowledgement mode of sessions. It tells the consumer when a message is gone, so that
/// another may come. The broker keeps nothing for a non-durable subscription, so all of it happens
/// here; for queues and named subscriptions it does ([StoredAcknowledging]). Thread-safe.
public interface Acknowledging {
    /// A message is about to be given to a listener.
    void onDelivery(PrefetchConsumer consumer, WinnowMessage message);

    /// A message is about to be returned by receive.
    void onReceived(PrefetchConsumer consumer, WinnowMessage message);

    /// A message has expired before it could be delivered.
    void onExpired(PrefetchConsumer consumer, WinnowMessage message);

    /// A listener has returned from a message.
    ///
    /// @param failed whether it threw
    void onListenerReturn(PrefetchConsumer consumer, WinnowMessage message, boolean failed);

    /// Instead of [#onReceived]: the application has asked for the body of the message, and cannot
    /// have it.
    void onUnusableBody(PrefetchConsumer consumer, WinnowMessage message);

    /// The application acknowledges.
    ///
    /// @throws JMSException if the broker does not take it
    void acknowledge() throws JMSException;

    /// The application wants all messages again that are not acknowledged.
    ///
    /// @throws JMSException if the broker does not answer
    void recover() throws JMSException;

    /// A consumer is closed; its messages cannot be delivered again.
    void onClosed(PrefetchConsumer consumer);
}
