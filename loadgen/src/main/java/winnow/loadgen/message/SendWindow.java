package winnow.loadgen.message;

import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sends that the broker has not confirmed, of a bounded size together, so that a file of many
/// lines does not wait for each. One thread sends.
final class SendWindow {

    /// In characters of texts.
    private static final int SIZE = 4 * 1024 * 1024;

    /// Charged for each message beside its text.
    private static final int BASE = 512;

    private final Semaphore free = new Semaphore(SIZE);
    private final AtomicLong published = new AtomicLong();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final Consumer<Message> onPublished;

    /// @param onPublished told of each message that the broker has, in the order of the sends
    SendWindow(Consumer<Message> onPublished) {
        this.onPublished = onPublished;
    }

    /// Waits until there is room, then sends.
    ///
    /// @throws JMSException if this send or an earlier one failed
    void send(MessageProducer producer, Message message, int characters) throws JMSException {
        var weight = weight(characters);
        free.acquireUninterruptibly(weight);
        throwFailure();
        producer.send(message, new Completion(weight));
    }

    private static int weight(int characters) {
        return Math.min(SIZE, BASE + characters);
    }

    private final class Completion implements CompletionListener {
        private final int weight;

        Completion(int weight) {
            this.weight = weight;
        }

        @Override
        public void onCompletion(Message message) {
            try {
                published.incrementAndGet();
                onPublished.accept(message);
            } catch (RuntimeException unprintable) {
                failure.compareAndSet(null, unprintable);
            } finally {
                free.release(weight);
            }
        }

        @Override
        public void onException(Message message, Exception problem) {
            failure.compareAndSet(null, problem);
            free.release(weight);
        }
    }

    /// Waits until all sends are confirmed.
    ///
    /// @throws JMSException if one failed
    void await() throws JMSException {
        free.acquireUninterruptibly(SIZE);
        free.release(SIZE);
        throwFailure();
    }

    /// Messages that the broker has confirmed so far.
    long published() {
        return published.get();
    }

    private void throwFailure() throws JMSException {
        switch (failure.get()) {
            case null -> {}
            case JMSException refused -> throw refused;
            case RuntimeException fault -> throw fault;
            case Exception other -> throw new IllegalStateException(other);
        }
    }
}
