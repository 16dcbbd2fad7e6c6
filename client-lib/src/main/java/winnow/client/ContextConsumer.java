package winnow.client;

import static winnow.client.error.JmsErrors.call;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;
import winnow.client.error.JmsErrors;
import winnow.client.message.WinnowMessage;
import winnow.client.session.WinnowConsumer;

/// A consumer of the simplified API over one of the classic API.
final class ContextConsumer implements JMSConsumer {
    private final WinnowConsumer consumer;

    ContextConsumer(WinnowConsumer consumer) {
        this.consumer = consumer;
    }

    @Override
    public @Nullable String getMessageSelector() {
        return call(consumer::getMessageSelector);
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return call(consumer::getMessageListener);
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) {
        JmsErrors.run(() -> consumer.setMessageListener(listener));
    }

    @Override
    public @Nullable Message receive() {
        return call(consumer::receive);
    }

    @Override
    public @Nullable Message receive(long timeout) {
        return call(() -> consumer.receive(timeout));
    }

    @Override
    public @Nullable Message receiveNoWait() {
        return call(consumer::receiveNoWait);
    }

    @Override
    public void close() {
        JmsErrors.run(consumer::close);
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type) {
        return receiveBody(WinnowConsumer.nanos(0), type);
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type, long timeout) {
        return receiveBody(WinnowConsumer.nanos(timeout), type);
    }

    @Override
    public <T> @Nullable T receiveBodyNoWait(Class<T> type) {
        return receiveBody(0, type);
    }

    private <T> @Nullable T receiveBody(long nanos, Class<T> type) {
        return call(() -> consumer.receive(nanos, message -> body(message, type)));
    }

    /// The body of a message that was received.
    ///
    /// @throws MessageFormatException if there is no body of that class; what becomes of the
    ///   message is the acknowledgement mode's to say
    private <T> T body(WinnowMessage message, Class<T> type) throws JMSException {
        try {
            T body = message.getBody(type);
            if (body == null) {
                throw new MessageFormatException("the message has no body");
            }
            consumer.acknowledging().onReceived(consumer, message);
            return body;
        } catch (MessageFormatException e) {
            consumer.acknowledging().onUnusableBody(consumer, message);
            throw e;
        }
    }
}
