package winnow.client.session;

import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueSender;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import winnow.client.acknowledge.LocalWork;
import winnow.client.acknowledge.SessionWork;
import winnow.client.error.JmsErrors;
import winnow.client.link.BrokerLink;
import winnow.client.link.BrokerSession;
import winnow.client.link.Current;
import winnow.client.receive.ConsumerSpec;
import winnow.client.receive.PrefetchWindow;
import winnow.client.transport.WireSubscription;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DeliveryRanges;

/// One session (Jakarta Messaging 3.1, 6.2). As the specification says, one thread uses it at a
/// time; only [#close], and what runs callbacks, are safe from other threads.
public sealed class WinnowSession extends SessionConsumers permits WinnowXASession {
    private final WinnowConnection connection;
    private final int mode;
    private final BrokerSession channel;
    private final SessionWork work;
    private final SessionMembers members = new SessionMembers();
    private final ListenerDispatch dispatch;
    private final Completions completions;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile ServerBatches.@Nullable Batch batch;
    private volatile @Nullable MessageListener listener;

    private final AtomicInteger losses = new AtomicInteger();

    /// @param work makes what its messages become
    WinnowSession(
            WinnowConnection connection, JmsDomain domain, int mode, SessionWork.Factory work) {
        super(domain);
        this.connection = connection;
        this.mode = mode;
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        CallbackThreads threads = connection.callbackThreads();
        BrokerLink link = connection.link();
        dispatch = new ListenerDispatch(members, link, threads, loader);
        completions = new Completions(threads, loader);
        channel = new BrokerSession(mode == Session.SESSION_TRANSACTED);
        this.work = work.make(link, channel, members);
    }

    /// A session that acknowledges in one of the four modes.
    static WinnowSession local(WinnowConnection connection, JmsDomain domain, int mode) {
        return new WinnowSession(
                connection,
                domain,
                mode,
                (link, channel, consumers) ->
                        new LocalWork(link, channel, consumers, mode, connection.unacknowledged()));
    }

    @Override
    WinnowConnection connection() {
        return connection;
    }

    /// Handling of its messages.
    SessionWork work() {
        return work;
    }

    /// Counterpart of the session at the broker.
    BrokerSession channel() {
        return channel;
    }

    ListenerDispatch dispatch() {
        return dispatch;
    }

    Completions completions() {
        return completions;
    }

    @Override
    public void requireOpen() throws JMSException {
        members.requireOpen();
    }

    public void requireNotInListener(String method) throws JMSException {
        if (dispatch.isRunner()) {
            throw new IllegalStateException(method + " must not be called by a message listener");
        }
    }

    public void requireNotInCompletion(String method) throws JMSException {
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

    /// There is no connection for good.
    void onLost(TransportException cause) {
        channel.onLost();
        members.onLost(cause);
    }

    /// The connection is lost, and may come back. Does not wait.
    void onInterrupted() {
        channel.onLost();
    }

    /// Nothing more comes of the lost connection: what belonged to it is forgotten.
    void detach(TransportException cause) {
        losses.getAndIncrement();
        members.detach(cause);
        work.onLost();
    }

    /// Makes again on another connection what the session is at the broker. Does not wait.
    void restore(Current next) {
        members.forEach(consumer -> consumer.subscription().restore(next));
    }

    /// So many connections were lost.
    int losses() {
        return losses.get();
    }

    @Override
    public int getAcknowledgeMode() throws JMSException {
        requireOpen();
        return mode;
    }

    @Override
    public boolean getTransacted() throws JMSException {
        requireOpen();
        return mode == Session.SESSION_TRANSACTED;
    }

    /// Stored messages of a consumer that the application has received and not acknowledged.
    DeliveryRanges unacknowledged(WinnowConsumer consumer) {
        return work.unacknowledged(consumer);
    }

    /// Waits for asynchronous sends, then makes the transaction take effect.
    ///
    /// @throws JMSException if they are not confirmed in time: then nothing is committed, and this
    ///   may be called again
    @Override
    public void commit() throws JMSException {
        requireTransacted();
        requireNotInCompletion("commit()");
        int timeoutMillis = connection.options().requestTimeoutMillis();
        if (!completions.awaitAnswers(send -> true, timeoutMillis)) {
            throw JmsErrors.timedOut(
                    "nothing was committed: expected the confirmation of all messages within %d ms"
                            .formatted(timeoutMillis));
        }
        work.commit();
    }

    /// Waits for asynchronous sends, then forgets the transaction.
    @Override
    public void rollback() throws JMSException {
        requireTransacted();
        requireNotInCompletion("rollback()");
        awaitCompletions();
        work.rollback();
    }

    private void requireTransacted() throws JMSException {
        if (!getTransacted()) {
            throw new IllegalStateException("the session is not transacted");
        }
    }

    @Override
    public void recover() throws JMSException {
        if (getTransacted()) {
            throw new IllegalStateException("the session is transacted: use rollback()");
        }
        work.live().recover();
        work.stored().recover();
    }

    /// Performs the `acknowledge` of this session's messages.
    public void acknowledge() throws JMSException {
        requireOpen();
        if (mode == Session.CLIENT_ACKNOWLEDGE) {
            work.live().acknowledge();
            work.stored().acknowledge();
        }
    }

    /// Acknowledges for a message that the broker keeps.
    ///
    /// @param lossesBefore connections that were lost before it came
    /// @throws IllegalStateException if its connection is lost
    public void acknowledge(int lossesBefore) throws JMSException {
        if (mode == Session.CLIENT_ACKNOWLEDGE && lossesBefore != losses.get()) {
            requireOpen();
            work.forgetLost();
            throw JmsErrors.comesAgain();
        }
        acknowledge();
    }

    /// Waits until all has come that the broker can deliver now to the session's consumers. From a
    /// broker that is away, nothing comes.
    void awaitDeliveries() throws JMSException {
        Current now = connection.link().now();
        try {
            channel.open(now).acknowledge(DeliveryRanges.NONE).await();
        } catch (TransportException e) {
            if (!now.isLost()) {
                throw JmsErrors.of(e);
            }
        }
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

    @Override
    public QueueSender createSender(@Nullable Queue queue) throws JMSException {
        domain().requireQueues("createSender()");
        return newProducer(queue);
    }

    public WinnowProducer newProducer(@Nullable Destination destination) throws JMSException {
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

    /// Gives it messages for [#run].
    void batch(ServerBatches.Batch given) {
        batch = given;
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        requireOpen();
        return listener;
    }

    /// Sets who gets the messages that a connection consumer gives to [#run].
    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        requireOpen();
        this.listener = listener;
    }

    /// Gives the messages of a connection consumer to the listener. Called by server sessions.
    ///
    /// @throws jakarta.jms.IllegalStateRuntimeException if there are messages and no listener
    @Override
    public void run() {
        ServerBatches.Batch given = batch;
        MessageListener target = listener;
        batch = null;
        if (given != null && target == null) {
            given.end();
            throw JmsErrors.unchecked(
                    new IllegalStateException(
                            "a session that runs messages of a connection consumer needs a"
                                    + " message listener: call setMessageListener() first"));
        }
        if (given != null && target != null) {
            given.deliver(target);
        }
    }

    void forget(WinnowProducer producer) {
        members.remove(producer);
    }

    @Override
    WinnowConsumer newConsumer(ConsumerSpec spec) throws JMSException {
        return newConsumer(spec, connection().options().prefetchWindow(spec));
    }

    /// @param window what it gets ahead
    WinnowConsumer newConsumer(ConsumerSpec spec, PrefetchWindow window) throws JMSException {
        requireOpen();
        WinnowConsumer consumer = new WinnowConsumer(this, spec, window);
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
        consumer.acknowledging().onClosed(consumer);
    }

    @Override
    QueueBrowser newBrowser(ConsumerSpec spec) throws JMSException {
        requireOpen();
        WinnowBrowser browser = new WinnowBrowser(this, spec);
        members.add(browser);
        boolean usable = false;
        try {
            browser.check();
            usable = true;
            return browser;
        } finally {
            if (!usable) {
                forget(browser);
            }
        }
    }

    void forget(WinnowBrowser browser) {
        members.remove(browser);
    }

    @Override
    public TemporaryQueue createTemporaryQueue() throws JMSException {
        requireOpen();
        domain().requireQueues("createTemporaryQueue()");
        return connection.temporaries().newQueue();
    }

    @Override
    public TemporaryTopic createTemporaryTopic() throws JMSException {
        requireOpen();
        domain().requireTopics("createTemporaryTopic()");
        return connection.temporaries().newTopic();
    }

    /// Closes producers and consumers, waits for listeners that run, for a receive that has taken a
    /// message, and for asynchronous sends. Does nothing the second time.
    ///
    /// @throws IllegalStateException if called by a message or completion listener of the session
    @Override
    public void close() throws JMSException {
        requireNotInListener("close()");
        requireNotInCompletion("close()");
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        List<CompletableFuture<@Nullable Void>> answers = new ArrayList<>();
        end().forEach(subscription -> answers.add(subscription.end()));
        CompletableFuture<@Nullable Void> ended =
                work.onClose() ? channel.end(work.unacknowledged()) : null;
        if (ended != null) {
            answers.add(ended);
        }
        connection.link().wire().awaitEnds(answers);
        connection.forget(this);
    }

    /// Closes the session of a connection that is closing, which ends the subscriptions too.
    void closeWithConnection() {
        if (closing.compareAndSet(false, true)) {
            var unused = end();
            var unusedAnswer = channel.end(work.unacknowledged());
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
            if (!consumer.isStored()) {
                consumer.acknowledging().onClosed(consumer);
            }
            if (subscription != null) {
                left.add(subscription);
            }
        }
        work.acknowledgeLate();
        return left;
    }
}
