package winnow.client;

import jakarta.jms.CompletionListener;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.Confirmation;
import winnow.client.transport.TransportException;

/// One asynchronous send. Written by the event loop, then read by the callback's thread.
final class AsyncSend implements Confirmation {
    private final Message message;
    private final CompletionListener listener;
    private final Completions completions;
    private @Nullable TransportException refused;

    /// @param message the application's own message, which the listener gets
    AsyncSend(Message message, CompletionListener listener, Completions completions) {
        this.message = message;
        this.listener = listener;
        this.completions = completions;
    }

    @Override
    public boolean isAwaited() {
        return false;
    }

    @Override
    public void onPublished() {
        completions.add(this);
    }

    @Override
    public void onRefused(TransportException reason) {
        refused = reason;
        completions.add(this);
    }

    /// Tells the listener.
    void callBack() {
        TransportException reason = refused;
        if (reason == null) {
            listener.onCompletion(message);
        } else {
            listener.onException(message, JmsErrors.of(reason));
        }
    }
}
