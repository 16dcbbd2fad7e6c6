package winnow.client.session;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowDestination;
import winnow.client.error.JmsErrors;
import winnow.client.link.PendingSend;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.endpoint.TransportException;

/// One asynchronous send. [Completions] guards the outcome.
final class AsyncSend extends PendingSend {
    private final WinnowProducer producer;
    private final Given given;
    private final Completions completions;
    private @Nullable JMSException refused;

    /// Arguments that the application has given.
    ///
    /// @param message its own, which the listener gets
    record Given(Message message, CompletionListener listener) {}

    /// @param message what is sent
    /// @param timeoutNanos longest wait for credit
    AsyncSend(
            WinnowProducer producer,
            Given given,
            WinnowMessage message,
            WinnowDestination target,
            Completions completions,
            long timeoutNanos) {
        super(message, target, timeoutNanos);
        this.producer = producer;
        this.given = given;
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
            given.listener().onCompletion(given.message());
        } else {
            given.listener().onException(given.message(), reason);
        }
    }
}
