package winnow.client;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.Confirmation;
import winnow.client.transport.TransportException;

/// One asynchronous send. [Completions] guards the outcome.
final class AsyncSend implements Confirmation {
    private final WinnowProducer producer;
    private final Message message;
    private final CompletionListener listener;
    private final Completions completions;
    private @Nullable JMSException refused;

    /// @param message the application's own message, which the listener gets
    AsyncSend(
            WinnowProducer producer,
            Message message,
            CompletionListener listener,
            Completions completions) {
        this.producer = producer;
        this.message = message;
        this.listener = listener;
        this.completions = completions;
    }

    WinnowProducer producer() {
        return producer;
    }

    @Override
    public boolean isAwaited() {
        return false;
    }

    @Override
    public void onPublished() {
        completions.onAnswer(this, null);
    }

    @Override
    public void onRefused(TransportException reason) {
        completions.onAnswer(this, JmsErrors.of(reason));
    }

    /// Sets what the listener is told.
    ///
    /// @param reason null if the message was published
    void refuse(@Nullable JMSException reason) {
        refused = reason;
    }

    /// Tells the listener.
    void callBack() {
        JMSException reason = refused;
        if (reason == null) {
            listener.onCompletion(message);
        } else {
            listener.onException(message, reason);
        }
    }
}
