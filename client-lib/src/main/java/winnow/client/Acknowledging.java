package winnow.client;

import jakarta.jms.JMSException;
import winnow.client.message.WinnowMessage;

/// An acknowledgement mode of sessions. The broker keeps nothing for a non-durable subscription, so
/// all of it happens here. Thread-safe.
interface Acknowledging {
    /// A message is about to be given to the application.
    void onDelivery(WinnowConsumer consumer, WinnowMessage message);

    /// A listener has returned from a message.
    ///
    /// @param failed whether it threw
    void onListenerReturn(WinnowConsumer consumer, WinnowMessage message, boolean failed);

    /// The application has asked for the body of the message that was delivered last, and cannot
    /// have it.
    void onUnusableBody(WinnowConsumer consumer, WinnowMessage message) throws JMSException;

    /// The application acknowledges.
    void acknowledge();

    /// The application wants all messages again that are not acknowledged.
    void recover() throws JMSException;
}
