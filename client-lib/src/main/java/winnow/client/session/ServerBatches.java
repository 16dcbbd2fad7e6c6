package winnow.client.session;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import winnow.client.error.JmsErrors;
import winnow.client.log.ClientLog;
import winnow.client.message.WinnowMessage;
import winnow.client.option.ConnectionOptions;
import winnow.client.receive.ConsumerSpec;
import winnow.wire.ConsumerRole;

/// A connection consumer (Jakarta Messaging 3.1, 8.2): gives each server session of a pool a few
/// messages at a time. They belong to a consumer that the server session has for this batch, so
/// that it acknowledges them as its own.
///
/// The messages of a topic without a subscription name come by a shared one of this consumer's own.
/// A shared subscription that is not durable is held by an anchor, which gets nothing. Of a durable
/// subscription that is not shared one server session has messages at a time, because it has one
/// consumer. Thread-safe.
final class ServerBatches implements ConnectionConsumer {
    private static final Logger LOG = ClientLog.of(ServerBatches.class);

    /// Pause after a failure, in milliseconds.
    private static final long PAUSE_MILLIS = 1000;

    private final WinnowConnection connection;
    private final ConsumerSpec spec;
    private final ServerSessionPool pool;
    private final int maxMessages;
    private final WinnowSession anchoring;

    /// So many batches may be under way.
    private final Semaphore batches;

    private final Thread thread;
    private volatile @Nullable Batch waiting;
    private volatile boolean closed;

    /// @param anchoring a session of its own that is never started
    ServerBatches(
            WinnowSession anchoring, ConsumerSpec spec, ServerSessionPool pool, int maxMessages) {
        this.connection = anchoring.connection();
        this.anchoring = anchoring;
        this.spec = spec;
        this.pool = pool;
        this.maxMessages = maxMessages;
        boolean alone = spec.role() == ConsumerRole.DURABLE;
        batches = new Semaphore(alone ? 1 : Integer.MAX_VALUE);
        thread = new Thread(this::run, "winnow-connection-consumer");
        thread.setDaemon(true);
    }

    /// The session that keeps the subscription between batches.
    WinnowSession anchoring() {
        return anchoring;
    }

    /// Makes the subscription, and begins.
    ///
    /// @throws JMSException if the broker refuses
    void begin() throws JMSException {
        WinnowConsumer anchor = anchoring.newConsumer(spec);
        if (spec.role() != ConsumerRole.SHARED) {
            anchor.close();
        }
        thread.start();
    }

    private void run() {
        while (!closed) {
            try {
                batches.acquire();
                fill(serverSession());
            } catch (JMSException | RuntimeException e) {
                onFailure(e);
            } catch (InterruptedException e) {
                // By close.
                return;
            }
        }
    }

    private ServerSession serverSession() throws JMSException {
        ServerSession server = null;
        try {
            server = pool.getServerSession();
            if (server == null) {
                throw new IllegalStateException(
                        "expected a server session of the pool, found none");
            }
            return server;
        } finally {
            if (server == null) {
                batches.release();
            }
        }
    }

    /// Waits until there are messages for a server session, and starts it.
    private void fill(ServerSession server) throws JMSException {
        Batch batch = null;
        boolean filled = false;
        try {
            if (!(server.getSession() instanceof WinnowSession session)) {
                throw new IllegalStateException(
                        "expected a server session with a session of Winnow, found "
                                + server.getSession());
            }
            batch = new Batch(session);
            waiting = batch;
            filled = !closed && batch.await();
            if (filled) {
                session.batch(batch);
            }
        } finally {
            waiting = null;
            if (batch == null) {
                batches.release();
            } else if (!filled) {
                batch.end();
            }
            start(server, batch);
        }
    }

    /// Starts a server session. One that has nothing to do goes back to its pool by that; if it
    /// cannot be started, its messages go back to the broker.
    private static void start(ServerSession server, @Nullable Batch batch) throws JMSException {
        boolean started = false;
        try {
            server.start();
            started = true;
        } finally {
            if (!started && batch != null) {
                batch.end();
            }
        }
    }

    private void onFailure(Exception failure) {
        if (closed) {
            return;
        }
        LOG.warn("a connection consumer of '{}' failed; it goes on", spec.destination(), failure);
        if (connection.link().isEnded()) {
            closed = true;
            return;
        }
        connection.tell(problem(failure));
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    private static JMSException problem(Exception failure) {
        if (failure instanceof JMSException known) {
            return known;
        }
        JMSException problem = new JMSException("a server session failed: " + failure.getMessage());
        problem.initCause(failure);
        return problem;
    }

    /// The messages of one server session.
    final class Batch {
        private final WinnowConsumer consumer;
        private boolean ended;

        Batch(WinnowSession session) throws JMSException {
            ConnectionOptions options = connection.options();
            consumer = session.newConsumer(spec, options.prefetchWindow(spec, maxMessages));
        }

        /// Waits for the first message.
        ///
        /// @return false if the consumer was closed
        private boolean await() throws JMSException {
            AskTimes asks = new AskTimes();
            while (!consumer.isClosed()) {
                consumer.ahead().onWanted();
                if (consumer.inbox().awaitArrival(asks.nanos())) {
                    return true;
                }
                consumer.ahead().ask();
                asks.onAsked();
            }
            return false;
        }

        /// Gives the listener what has come. By the server session's thread.
        void deliver(MessageListener listener) {
            try {
                for (int i = 0; i < maxMessages && isDelivering(); i++) {
                    WinnowMessage message = consumer.inbox().poll();
                    if (message == null) {
                        return;
                    }
                    consumer.deliver(listener, message);
                }
            } finally {
                end();
            }
        }

        private boolean isDelivering() {
            return !closed && !consumer.isClosed() && consumer.inbox().isStarted();
        }

        /// Gives back what has not been given to a listener.
        synchronized void end() {
            if (ended) {
                return;
            }
            ended = true;
            try {
                consumer.close();
            } catch (JMSException e) {
                LOG.debug("could not close the consumer of a batch", e);
            } finally {
                batches.release();
            }
        }
    }

    @Override
    public ServerSessionPool getServerSessionPool() throws JMSException {
        if (closed) {
            throw JmsErrors.closed("connection consumer");
        }
        return pool;
    }

    /// Gives no more messages to server sessions. Those that have some go on with the message that
    /// they are at.
    @Override
    public void close() {
        end();
    }

    void end() {
        closed = true;
        thread.interrupt();
        Batch left = waiting;
        if (left != null) {
            left.end();
        }
        try {
            anchoring.close();
        } catch (JMSException e) {
            LOG.debug("could not close the session of a connection consumer", e);
        }
        connection.forget(this);
    }
}
