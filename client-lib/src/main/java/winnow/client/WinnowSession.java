package winnow.client;

import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSubscriber;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowDestination;
import winnow.client.destination.WinnowTopic;
import winnow.client.transport.TransportException;
import winnow.client.transport.WireSubscription;

/// One session (Jakarta Messaging 3.1, 6.2). As the specification says, one thread uses it at a
/// time; only [#close], and what runs callbacks, are safe from other threads.
final class WinnowSession extends SessionBasics {
    private final WinnowConnection connection;
    private final int mode;
    private final Acknowledging acknowledging;
    private final SessionMembers members = new SessionMembers();
    private final ListenerDispatch dispatch;
    private final Completions completions;
    private final AtomicBoolean closing = new AtomicBoolean();

    WinnowSession(WinnowConnection connection, Domain domain, int mode) {
        super(domain);
        this.connection = connection;
        this.mode = mode;
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        CallbackThreads threads = connection.callbackThreads();
        dispatch = new ListenerDispatch(members, connection.wire(), threads, loader);
        completions = new Completions(threads, loader);
        acknowledging =
                mode == Session.CLIENT_ACKNOWLEDGE
                        ? new ClientAcknowledging()
                        : new AutoAcknowledging();
    }

    WinnowConnection connection() {
        return connection;
    }

    Acknowledging acknowledging() {
        return acknowledging;
    }

    ListenerDispatch dispatch() {
        return dispatch;
    }

    Completions completions() {
        return completions;
    }

    @Override
    void requireOpen() throws JMSException {
        members.requireOpen();
    }

    void requireNotInListener(String method) throws JMSException {
        if (dispatch.isRunner()) {
            throw new IllegalStateException(method + " must not be called by a message listener");
        }
    }

    void requireNotInCompletion(String method) throws JMSException {
        if (completions.isRunner()) {
            throw new IllegalStateException(
                    method + " must not be called by a completion listener");
        }
    }

    /// @throws IllegalStateException if one of the consumers has a listener: then the session's
    ///   thread of control is the one that runs listeners
    void requireNoListeners() throws JMSException {
        for (WinnowConsumer consumer : members) {
            if (consumer.hasListener()) {
                throw new IllegalStateException(
                        "a session with a message listener cannot receive synchronously");
            }
        }
    }

    /// Begins delivery. Does not wait.
    void start() {
        members.started(true);
        dispatch.start();
    }

    /// Stops delivery. Does not wait, as [#awaitStopped] does.
    void stop() {
        members.started(false);
        dispatch.stop();
    }

    /// Waits for the listener that runs, unless it is the caller or the session is started again.
    void awaitStopped() {
        dispatch.awaitStopped();
    }

    /// Waits for listeners that run, while all of the session serves them, and for asynchronous
    /// sends; no listener is called any more.
    void quiesce() {
        dispatch.stop();
        dispatch.awaitStopped();
        awaitCompletions();
    }

    private void awaitCompletions() {
        completions.await(send -> true, connection.options().closeTimeoutMillis());
    }

    void onLost(TransportException cause) {
        members.onLost(cause);
    }

    @Override
    public int getAcknowledgeMode() throws JMSException {
        requireOpen();
        return mode;
    }

    @Override
    public void recover() throws JMSException {
        requireOpen();
        acknowledging.recover();
    }

    /// What the `acknowledge` of this session's messages does.
    void acknowledge() throws JMSException {
        requireOpen();
        acknowledging.acknowledge();
    }

    @Override
    public MessageProducer createProducer(@Nullable Destination destination) throws JMSException {
        return newProducer(destination);
    }

    @Override
    public TopicPublisher createPublisher(@Nullable Topic topic) throws JMSException {
        domain().requireTopics("createPublisher()");
        return newProducer(topic);
    }

    WinnowProducer newProducer(@Nullable Destination destination) throws JMSException {
        requireOpen();
        WinnowProducer producer =
                destination == null
                        ? new WinnowProducer(this, null)
                        : new WinnowProducer(this, WinnowProducer.sendable(destination));
        members.add(producer);
        boolean open = false;
        try {
            producer.open();
            open = true;
            return producer;
        } finally {
            if (!open) {
                producer.closeWithSession();
            }
        }
    }

    void forget(WinnowProducer producer) {
        members.remove(producer);
    }

    @Override
    public MessageConsumer createConsumer(Destination destination) throws JMSException {
        return createConsumer(destination, null, false);
    }

    @Override
    public MessageConsumer createConsumer(Destination destination, @Nullable String selector)
            throws JMSException {
        return createConsumer(destination, selector, false);
    }

    @Override
    public MessageConsumer createConsumer(
            Destination destination, @Nullable String selector, boolean noLocal)
            throws JMSException {
        return newConsumer(destination, selector, noLocal);
    }

    @Override
    public TopicSubscriber createSubscriber(Topic topic) throws JMSException {
        return createSubscriber(topic, null, false);
    }

    @Override
    public TopicSubscriber createSubscriber(Topic topic, @Nullable String selector, boolean noLocal)
            throws JMSException {
        domain().requireTopics("createSubscriber()");
        return newConsumer(topic, selector, noLocal);
    }

    private WinnowConsumer newConsumer(
            Destination destination, @Nullable String selector, boolean noLocal)
            throws JMSException {
        requireOpen();
        if (!(WinnowDestination.adopt(destination) instanceof WinnowTopic topic)) {
            throw JmsErrors.notSupported(Unsupported.QUEUE_CONSUMERS);
        }
        WinnowConsumer consumer = new WinnowConsumer(this, topic, selector, noLocal);
        members.add(consumer);
        boolean subscribed = false;
        try {
            consumer.subscribe();
            subscribed = true;
            return consumer;
        } finally {
            if (!subscribed) {
                consumer.detach();
                forget(consumer);
            }
        }
    }

    void forget(WinnowConsumer consumer) {
        members.remove(consumer);
        acknowledging.onClosed(consumer);
    }

    /// Closes producers and consumers, waits for listeners that run and for asynchronous sends.
    /// Does nothing the second time.
    ///
    /// @throws IllegalStateException if called by a message or completion listener of the session
    @Override
    public void close() throws JMSException {
        requireNotInListener("close()");
        requireNotInCompletion("close()");
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        WinnowConsumer.endAll(connection.wire(), end());
        connection.forget(this);
    }

    /// Closes the session of a connection that is closing, which ends the subscriptions too.
    void closeWithConnection() {
        if (closing.compareAndSet(false, true)) {
            var unused = end();
        }
    }

    /// Closes all on this side.
    ///
    /// @return the subscriptions that are left to end
    private List<WireSubscription> end() {
        members.started(false);
        dispatch.close();
        awaitCompletions();
        List<WireSubscription> left = new ArrayList<>();
        for (WinnowConsumer consumer : members.close()) {
            WireSubscription subscription = consumer.detach();
            if (subscription != null) {
                left.add(subscription);
            }
        }
        return left;
    }
}
