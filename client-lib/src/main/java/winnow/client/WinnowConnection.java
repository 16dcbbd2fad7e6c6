package winnow.client;

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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.client.message.SpillSpace;
import winnow.client.transport.ConnectionEvents;
import winnow.client.transport.TransportException;
import winnow.wire.SessionFrame;

/// One connection to a broker (Jakarta Messaging 3.1, 6.1). Thread-safe.
///
/// It connects when it is made, so that a wrong address or wrong credentials fail there. The client
/// identifier belongs to the handshake: [#setClientID], which is allowed only before anything else
/// is done with the connection, connects once more with the identifier and lets go of the first
/// connection. To save that, give the identifier to the factory.
sealed class WinnowConnection extends ConnectionBasics permits WinnowXAConnection {
    private static final Logger LOG = LoggerFactory.getLogger(WinnowConnection.class);

    private final Temporaries temporaries = new Temporaries(this);

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
    private volatile Events events = new Events();
    private volatile @Nullable ExceptionListener exceptionListener;

    WinnowConnection(ConnectionOptions options, Domain domain) throws TransportException {
        super(domain);
        this.options = options;
        spillSpace = options.spillSpace();
        unacknowledged = options.unacknowledgedMemory();
        clientId = options.clientId().isEmpty() ? null : options.clientId();
        callbackThreads = CallbackThreads.of(loader, this::later);
        try {
            link = new BrokerLink(options.target(options.clientId()), events);
        } catch (TransportException | RuntimeException | Error e) {
            callbackThreads.close();
            throw e;
        }
    }

    /// Connects.
    ///
    /// @throws jakarta.jms.JMSSecurityException if the broker does not accept the credentials
    /// @throws JMSException if it cannot be reached in time
    static WinnowConnection open(ConnectionOptions options, Domain domain) throws JMSException {
        try {
            return new WinnowConnection(options, domain);
        } catch (TransportException e) {
            throw JmsErrors.of(e);
        }
    }

    /// Where large bodies go.
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
        Runnable telling =
                () -> {
                    ExceptionListener listener = exceptionListener;
                    if (listener != null && !closed) {
                        CallbackThreads.call(
                                "exception listener", () -> listener.onException(problem));
                    }
                };
        var unused =
                callbackThreads.run(
                        CallbackThreads.withLoader(loader, telling), () -> tell(problem));
    }

    ConnectionOptions options() {
        return options;
    }

    /// The way to the broker.
    BrokerLink link() {
        return link;
    }

    Temporaries temporaries() {
        return temporaries;
    }

    /// Asks the broker for something that concerns the whole connection.
    ///
    /// @throws JMSException if it refuses or does not answer
    void ask(IntFunction<SessionFrame> request) throws JMSException {
        use();
        link.ask(request);
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

    /// Sets the client identifier by connecting again; see the class. A connection that is lost
    /// stays lost.
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
            link.requireNotLost();
            Events next = new Events();
            link.replace(
                    options.target(clientId),
                    next,
                    () -> events = next,
                    options.closeTimeoutMillis());
            this.clientId = clientId;
            link.requireNotLost();
        } catch (TransportException e) {
            throw JmsErrors.of(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        requireOpen();
        return new ConnectionInfo();
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() throws JMSException {
        requireOpen();
        return exceptionListener;
    }

    /// Sets who is told, once, that the connection is lost; soon, if it is already.
    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) throws JMSException {
        requireOpen();
        exceptionListener = listener;
        events.onListener();
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
            link.wire().close(options.closeTimeoutMillis());
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
        WinnowSession anchoring = WinnowSession.local(this, Domain.ANY, Session.AUTO_ACKNOWLEDGE);
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
        return newSession(modeOf(transacted, acknowledgeMode), Domain.TOPIC);
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode)
            throws JMSException {
        return newSession(modeOf(transacted, acknowledgeMode), Domain.QUEUE);
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
    static void checkMode(int mode) throws JMSException {
        if (mode < Session.SESSION_TRANSACTED || mode > Session.DUPS_OK_ACKNOWLEDGE) {
            throw new JMSException("expected a session mode of 0 to 3, found " + mode);
        }
    }

    WinnowSession newSession(int mode, Domain sessionDomain) throws JMSException {
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
            if (link.isLost()) {
                sessions.remove(session);
                link.requireNotLost();
            }
            if (started) {
                session.start();
            }
            return session;
        } finally {
            lock.unlock();
        }
    }

    /// What the transport tells. Runs on the event loop. Of a connection to the broker that
    /// [#setClientID] has replaced, nothing is of interest.
    private final class Events implements ConnectionEvents {
        private static final int MAX_REPORTED = 100;

        private final Set<String> refusedDestinations = new HashSet<>();
        private final AtomicReference<@Nullable ExceptionListener> told = new AtomicReference<>();
        private volatile @Nullable TransportException lost;

        @Override
        public void onLost(TransportException cause) {
            lost = cause;
            if (this != events) {
                return;
            }
            for (WinnowSession session : sessions) {
                session.onLost(cause);
            }
            callBack(cause);
        }

        /// Whoever is told may connect again, so the process has to go on until then.
        private void callBack(TransportException cause) {
            Runnable telling =
                    () -> {
                        if (exceptionListener == null && !closed) {
                            LOG.warn("connection lost: {}", cause.getMessage());
                        }
                        tellLost(cause);
                        if (this == events) {
                            processHold.end();
                        }
                    };
            callbackThreads.run(CallbackThreads.withLoader(loader, telling), () -> callBack(cause));
        }

        /// There may be a listener that does not know of the loss.
        void onListener() {
            TransportException cause = lost;
            if (cause != null) {
                callBack(cause);
            }
        }

        /// Tells the listener of now, unless it was the last one that was told.
        @SuppressWarnings("ReferenceEquality") // It is about the listener itself.
        private void tellLost(TransportException cause) {
            ExceptionListener listener = exceptionListener;
            if (listener == null
                    || closed
                    || this != events
                    || told.getAndSet(listener) == listener) {
                return;
            }
            CallbackThreads.call(
                    "exception listener", () -> listener.onException(JmsErrors.of(cause)));
        }

        @Override
        public void onRefused(String destination, TransportException reason) {
            if (refusedDestinations.size() < MAX_REPORTED && refusedDestinations.add(destination)) {
                LOG.warn(
                        "the broker refused a message to {} that was sent without confirmation: {};"
                                + " others to the same destination are not reported",
                        destination,
                        reason.getMessage());
            }
        }
    }
}
