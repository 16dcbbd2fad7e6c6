package winnow.client.session;

import jakarta.jms.JMSException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.message.WinnowMessage;
import winnow.client.receive.ConsumerBuffer;

/// The synchronous receives of one consumer, one at a time. Thread-safe.
final class Receiving {
    /// Nanoseconds that stand for a wait without limit.
    static final long WITHOUT_LIMIT = -1;

    private final WinnowConsumer consumer;
    private final WinnowSession session;
    private final ConsumerBuffer inbox;

    /// Held until the acknowledgement mode knows of the message.
    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean running;

    Receiving(WinnowConsumer consumer, WinnowSession session, ConsumerBuffer inbox) {
        this.consumer = consumer;
        this.session = session;
        this.inbox = inbox;
    }

    /// Use of a message that is received.
    @FunctionalInterface
    public interface Use<T> {
        /// Has to tell [winnow.client.acknowledge.Acknowledging#onReceived] or
        /// [winnow.client.acknowledge.Acknowledging#onUnusableBody] of it.
        T of(WinnowMessage message) throws JMSException;
    }

    /// True if an application's thread wants a message.
    boolean isRunning() {
        return running;
    }

    /// Waits for a receive that has taken a message.
    ///
    /// @return `result`
    <T extends @Nullable Object> T afterReceive(T result) {
        lock.lock();
        try {
            return result;
        } finally {
            lock.unlock();
        }
    }

    /// Receives, and uses the message before the consumer can be closed.
    ///
    /// @param nanos longest wait, negative to wait without limit
    <T> @Nullable T receive(long nanos, Use<T> use) throws JMSException {
        lock.lock();
        try {
            consumer.requireOpen();
            session.requireNoListeners();
            running = true;
            consumer.ahead().onWanted();
            return await(nanos, use);
        } finally {
            running = false;
            lock.unlock();
        }
    }

    /// True if the message's time to live is over.
    static boolean isExpired(WinnowMessage message) {
        try {
            return message.isExpiredAt(System.currentTimeMillis());
        } catch (JMSException e) {
            // A damaged block: the application learns of it when it looks at the message.
            return false;
        }
    }

    private <T> @Nullable T await(long nanos, Use<T> use) throws JMSException {
        long deadline = System.nanoTime() + nanos;
        AskTimes asks = new AskTimes();
        boolean asked = nanos != 0 || !consumer.isStored();
        while (true) {
            long rest = nanos < 0 ? Long.MAX_VALUE : Math.max(0, deadline - System.nanoTime());
            WinnowMessage message = inbox.take(Math.min(rest, asks.nanos()));
            if (message != null) {
                consumer.ahead().lockHanding();
                try {
                    if (consumer.admits(message)) {
                        return use.of(message);
                    }
                } finally {
                    consumer.ahead().unlockHanding();
                }
            } else if (inbox.isEnded() || (rest == 0 && (asked || !inbox.isStarted()))) {
                return null;
            } else if (rest == 0) {
                asked = true;
                consumer.ahead().ask();
                session.awaitDeliveries();
            } else {
                if (inbox.isStarted()) {
                    consumer.requireRoom();
                    consumer.ahead().ask();
                }
                asks.onAsked();
            }
        }
    }
}
