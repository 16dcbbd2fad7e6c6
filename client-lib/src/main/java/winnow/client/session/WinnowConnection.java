package winnow.client.session;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import winnow.client.acknowledge.UnacknowledgedMemory;
import winnow.client.error.JmsErrors;
import winnow.client.link.BrokerLink;
import winnow.client.link.Current;
import winnow.client.link.LinkOwner;
import winnow.client.link.Loss;
import winnow.client.message.SpillSpace;
import winnow.client.option.ConnectionOptions;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;
import winnow.wire.frame.SessionFrame;

/// One connection to a broker (Jakarta Messaging 3.1, 6.1). Thread-safe.
///
/// It connects when it is made, so that a wrong address or wrong credentials fail there. The client
/// identifier belongs to the handshake: [#setClientID], which is allowed only before anything else
/// is done with the connection, connects once more with the identifier and lets go of the first
/// connection. To save that, give the identifier to the factory.
public sealed class WinnowConnection extends ConnectionBasics permits WinnowXAConnection {
    private final TemporaryNames temporaries = new TemporaryNames(this);

    private final ConnectionOptions options;
    private final SpillSpace spillSpace;
    private final UnacknowledgedMemory unacknowledged;
    private final ReentrantLock lock = new ReentrantLock();

    /// Held by who closes, so that others who do wait for the end.
    private final ReentrantLock closeLock = new ReentrantLock();

    private final List<WinnowSession> sessions = new CopyOnWriteArrayList<>();
    private final List<ServerBatches> batches = new CopyOnWriteArrayList<>();
    private final AtomicInteger anonymous = new AtomicInteger();
    private final ProcessHold processHold = new ProcessHold();
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final CallbackThreads callbackThreads;
    private final BrokerLink link;
    private @Nullable String clientId;
    private boolean used;
    private boolean started;
    private boolean closing;
    private volatile boolean closed;
    private final ConnectionReports reports;

    WinnowConnection(ConnectionOptions options, JmsDomain domain) throws TransportException {
        super(domain);
        this.options = options;
        spillSpace = options.spillSpace();
        unacknowledged = options.unacknowledgedMemory();
        clientId = options.clientId().isEmpty() ? null : options.clientId();
        callbackThreads = CallbackThreads.of(loader, this::later);
        reports =
                new ConnectionReports(
                        this, callbackThreads, options.interruptionListener(), () -> closed);
        try {
            link =
                    new BrokerLink(
                            options.target(options.clientId()),
                            options.returnTerms(),
                            new Members());
        } catch (TransportException | RuntimeException | Error e) {
            callbackThreads.close();
            throw e;
        }
    }

    /// Connects.
    ///
    /// @throws jakarta.jms.JMSSecurityException if the broker does not accept the credentials
    /// @throws JMSException if it cannot be reached in time
    public static WinnowConnection open(ConnectionOptions options, JmsDomain domain)
            throws JMSException {
        try {
            return new WinnowConnection(options, domain);
        } catch (TransportException e) {
            throw JmsErrors.of(e);
        }
    }

    /// Space for large bodies.
    SpillSpace spillSpace() {
        return spillSpace;
    }

    /// For messages that the broker does not keep.
    UnacknowledgedMemory unacknowledged() {
        return unacknowledged;
    }

    /// Tells the exception listener of a problem that leaves the connection as it is. Does not
    /// wait.
    void tell(JMSException problem) {
        reports.tell(problem);
    }

    ConnectionOptions options() {
        return options;
    }

    /// The way to the broker.
    public BrokerLink link() {
        return link;
    }

    TemporaryNames temporaries() {
        return temporaries;
    }

    /// Asks the broker to remove something. If a connection is lost meanwhile, it is asked again,
    /// and may have removed it by the first request.
    ///
    /// @param absent its refusal if there is nothing of that name
    /// @throws JMSException if it refuses or does not answer
    void remove(IntFunction<SessionFrame> request, ErrorCode absent) throws JMSException {
        use();
        AtomicBoolean asked = new AtomicBoolean();
        boolean unused =
                link.call(now -> {
                    boolean again = asked.getAndSet(true);
                    try {
                        now.wire().ask(request);
                    } catch (TransportException e) {
                        if (!again || e.code() != absent) {
                            throw e;
                        }
                    }
                    return true;
                });
    }

    CallbackThreads callbackThreads() {
        return callbackThreads;
    }

    ProcessHold processHold() {
        return processHold;
    }

    private void later(Runnable task) {
        link.wire().later(task);
    }

    private void requireOpen() throws JMSException {
        if (closed) {
            throw JmsErrors.closed("connection");
        }
    }

    @Override
    void use() throws JMSException {
        lock.lock();
        try {
            requireOpen();
            used = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable String getClientID() throws JMSException {
        requireOpen();
        return clientId;
    }

    /// Sets the client identifier by connecting again; see the class.
    ///
    /// @throws InvalidClientIDException if it is empty, or in use by another connection
    /// @throws IllegalStateException if there is one already or the connection was used
    @Override
    public void setClientID(@Nullable String clientId) throws JMSException {
        lock.lock();
        try {
            requireOpen();
            if (this.clientId != null) {
                throw new IllegalStateException(
                        "the client identifier is already set to '" + this.clientId + "'");
            }
            if (used) {
                throw new IllegalStateException(
                        "the client identifier must be set before the connection is used");
            }
            if (clientId == null || clientId.isEmpty()) {
                throw new InvalidClientIDException("expected a client identifier, found none");
            }
            link.replace(options.target(clientId), options.closeTimeoutMillis());
            this.clientId = clientId;
            link.requireNotEnded();
        } catch (TransportException e) {
            throw JmsErrors.of(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        requireOpen();
        return new ProviderMetaData();
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() throws JMSException {
        requireOpen();
        return reports.exceptionListener();
    }

    /// Sets who is told, once, that the connection is lost for good; soon, if it is already.
    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) throws JMSException {
        requireOpen();
        reports.exceptionListener(listener);
    }

    @Override
    public void start() throws JMSException {
        use();
        lock.lock();
        try {
            if (!closing) {
                started = true;
                processHold.started(true);
                sessions.forEach(WinnowSession::start);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Stops delivery and waits for the listeners that run, until another thread starts it again.
    ///
    /// @throws IllegalStateException if called by one of them
    @Override
    public void stop() throws JMSException {
        use();
        for (WinnowSession session : sessions) {
            session.requireNotInListener("stop()");
        }
        lock.lock();
        try {
            started = false;
            processHold.started(false);
            sessions.forEach(WinnowSession::stop);
        } finally {
            lock.unlock();
        }
        sessions.forEach(WinnowSession::awaitStopped);
    }

    /// Waits for listeners that run, which may use the connection and its sessions until they
    /// return, and for asynchronous sends; then closes sessions, producers and consumers, and lets
    /// the broker handle what was sent. Does nothing the second time.
    ///
    /// @throws IllegalStateException if called by a message or completion listener
    @Override
    public void close() throws JMSException {
        for (WinnowSession session : sessions) {
            session.requireNotInListener("close()");
            session.requireNotInCompletion("close()");
        }
        closeLock.lock();
        try {
            if (!closed) {
                shutDown();
            }
        } finally {
            closeLock.unlock();
        }
    }

    private void shutDown() {
        lock.lock();
        try {
            closing = true;
            started = false;
        } finally {
            lock.unlock();
        }
        try {
            batches.forEach(ServerBatches::end);
            sessions.forEach(WinnowSession::quiesce);
            lock.lock();
            try {
                closed = true;
            } finally {
                lock.unlock();
            }
            sessions.forEach(WinnowSession::closeWithConnection);
            sessions.clear();
            link.close(options.closeTimeoutMillis());
        } finally {
            callbackThreads.close();
            processHold.end();
        }
    }

    @Override
    ConnectionConsumer beginBatches(
            Request request, @Nullable ServerSessionPool pool, int maxMessages)
            throws JMSException {
        use();
        if (pool == null || maxMessages < 1) {
            throw new JMSException(
                    "expected a pool of server sessions and at least 1 message at a time, found "
                            + pool
                            + " and "
                            + maxMessages);
        }
        WinnowSession anchoring =
                WinnowSession.local(this, JmsDomain.ANY, Session.AUTO_ACKNOWLEDGE);
        String name =
                "connection-consumer-%016x-%d"
                        .formatted(link.wire().id(), anonymous.incrementAndGet());
        ServerBatches made =
                new ServerBatches(anchoring, request.spec(anchoring, name), pool, maxMessages);
        batches.add(made);
        boolean begun = false;
        try {
            made.begin();
            begun = true;
            return made;
        } finally {
            if (!begun || closed) {
                made.end();
            }
        }
    }

    void forget(ServerBatches ended) {
        batches.remove(ended);
    }

    void forget(WinnowSession session) {
        sessions.remove(session);
    }

    @Override
    public Session createSession() throws JMSException {
        return createSession(Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public Session createSession(int sessionMode) throws JMSException {
        return newSession(sessionMode, domain());
    }

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return newSession(modeOf(transacted, acknowledgeMode), domain());
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode)
            throws JMSException {
        return newSession(modeOf(transacted, acknowledgeMode), JmsDomain.TOPIC);
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode)
            throws JMSException {
        return newSession(modeOf(transacted, acknowledgeMode), JmsDomain.QUEUE);
    }

    private static int modeOf(boolean transacted, int acknowledgeMode) throws JMSException {
        if (transacted) {
            return Session.SESSION_TRANSACTED;
        }
        if (acknowledgeMode == Session.SESSION_TRANSACTED) {
            throw new JMSException(
                    "expected an acknowledgement mode of 1 to 3 for a session that is not"
                            + " transacted, found 0");
        }
        return acknowledgeMode;
    }

    /// @throws JMSException if it is no mode of a session
    public static void checkMode(int mode) throws JMSException {
        if (mode < Session.SESSION_TRANSACTED || mode > Session.DUPS_OK_ACKNOWLEDGE) {
            throw new JMSException("expected a session mode of 0 to 3, found " + mode);
        }
    }

    public WinnowSession newSession(int mode, JmsDomain sessionDomain) throws JMSException {
        use();
        checkMode(mode);
        return add(
                mode == Session.SESSION_TRANSACTED,
                () -> WinnowSession.local(this, sessionDomain, mode));
    }

    /// Takes in a session that is made now.
    ///
    /// @param transacted whether the broker has to offer sessions
    <T extends WinnowSession> T add(boolean transacted, Supplier<T> making) throws JMSException {
        use();
        lock.lock();
        try {
            requireOpen();
            if (transacted) {
                link.requireStored();
            }
            T session = making.get();
            sessions.add(session);
            if (link.isEnded()) {
                sessions.remove(session);
                link.requireNotEnded();
            }
            if (started) {
                session.start();
            }
            return session;
        } finally {
            lock.unlock();
        }
    }

    /// The connection is lost, and with it the branches of distributed transactions.
    void detachBranches() {}

    private final class Members implements LinkOwner {
        @Override
        public void onInterrupted(Loss loss) {
            sessions.forEach(WinnowSession::onInterrupted);
            batches.forEach(one -> one.anchoring().onInterrupted());
            reports.onInterrupted(loss);
        }

        @Override
        public void detach(TransportException cause) {
            // First: a branch that ends meanwhile has to see that it has failed.
            detachBranches();
            sessions.forEach(session -> session.detach(cause));
            batches.forEach(one -> one.anchoring().detach(cause));
        }

        @Override
        public void restore(Current next) {
            sessions.forEach(session -> session.restore(next));
            batches.forEach(one -> one.anchoring().restore(next));
        }

        @Override
        public void onResumed(Current now, Duration gap) {
            reports.onResumed(now, gap);
        }

        @Override
        public void onEnded(TransportException cause) {
            sessions.forEach(session -> session.onLost(cause));
            reports.onEnded(cause, processHold::end);
        }

        @Override
        public void onRefused(String destination, TransportException reason) {
            reports.onRefused(destination, reason);
        }
    }
}
