package winnow.client;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.client.destination.WinnowDestination;
import winnow.client.destination.WinnowTopic;
import winnow.client.message.MessageOrigin;
import winnow.client.message.ReceivedMessages;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.ConsumerTerms;
import winnow.client.transport.TransportException;
import winnow.client.transport.WireSubscription;
import winnow.wire.ConsumerRole;

/// One consumer of a topic or queue: a subscription at the broker, or a consumer of the session
/// there, and an [Inbox] here. Used by its session's thread of control; [#close] is safe from any
/// thread.
final class WinnowConsumer implements MessageConsumer, TopicSubscriber, QueueReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(WinnowConsumer.class);

    private static final int TURN = 1000;
    private static final long WITHOUT_LIMIT = -1;

    private final WinnowSession session;
    private final ConsumerSpec spec;
    private final Acknowledging acknowledging;
    private final BrokerLink link;
    private final Inbox inbox;
    private final MessageOrigin origin;
    private final PrefetchWindow window;
    private final ListenerFailures failures;

    /// Guards that the consumer is closed before its subscription is asked for, or has one to end.
    private final ReentrantLock lifeLock = new ReentrantLock();

    /// Held while a message is received, until the acknowledgement mode knows of it.
    private final ReentrantLock receiving = new ReentrantLock();

    private volatile @Nullable MessageListener listener;
    private volatile @Nullable WireSubscription subscription;
    private volatile boolean closed;

    /// A consumer that has to [subscribe][#subscribe].
    WinnowConsumer(WinnowSession session, ConsumerSpec spec) {
        this.session = session;
        this.spec = spec;
        SessionWork work = session.work();
        acknowledging = spec.role() == null ? work.live() : work.stored();
        ConnectionOptions options = session.connection().options();
        window = new PrefetchWindow(options.prefetchMessages(spec), options.prefetchBytes());
        failures = new ListenerFailures(spec.destination());
        link = session.connection().link();
        origin =
                new MessageOrigin(
                        spec.destination() instanceof WinnowTopic topic
                                ? topic.withoutFilter()
                                : spec.destination(),
                        link.wire().names(),
                        session::acknowledge,
                        options.allowedClasses());
        inbox =
                new Inbox(
                        origin,
                        session.connection().spillSpace(),
                        this::onArrival,
                        this::isListening);
    }

    /// Subscribes.
    ///
    /// @throws JMSException if the broker refuses, or the session is closed meanwhile
    void subscribe() throws JMSException {
        try {
            ask().awaitAccepted();
        } catch (TransportException e) {
            throw JmsErrors.of(e);
        }
        try {
            session.requireOpen();
        } catch (IllegalStateException e) {
            // Either this thread or the one that closes the session ends the subscription.
            close();
            throw e;
        }
    }

    private WireSubscription ask() throws JMSException, TransportException {
        lifeLock.lock();
        try {
            requireOpen();
            ConsumerRole role = spec.role();
            WireSubscription asked = role == null ? askLive() : askStored(role);
            subscription = asked;
            return asked;
        } finally {
            lifeLock.unlock();
        }
    }

    private WireSubscription askLive() throws TransportException {
        return link.wire()
                .subscribe(spec.source(), spec.noLocal(), window.messages(), window.bytes(), inbox);
    }

    private WireSubscription askStored(ConsumerRole role) throws JMSException, TransportException {
        ConsumerTerms terms =
                new ConsumerTerms(
                        role,
                        spec.source(),
                        spec.subscription(),
                        spec.noLocal(),
                        window.messages(),
                        window.bytes());
        return session.channel().open().consume(terms, inbox, () -> session.unacknowledged(this));
    }

    private void onArrival() {
        if (listener != null) {
            session.dispatch().signal();
        }
    }

    /// Whether messages go to a listener now.
    boolean isListening() {
        return listener != null && session.dispatch().isStarted();
    }

    private void requireOpen() throws JMSException {
        if (closed) {
            throw JmsErrors.closed("consumer");
        }
    }

    private <T> T destination(Class<T> kind) throws JMSException {
        requireOpen();
        WinnowDestination destination = spec.destination();
        if (!kind.isInstance(destination)) {
            throw new IllegalStateException("the consumer is not for a " + kind.getSimpleName());
        }
        return kind.cast(destination);
    }

    @Override
    public Topic getTopic() throws JMSException {
        return destination(Topic.class);
    }

    @Override
    public Queue getQueue() throws JMSException {
        return destination(Queue.class);
    }

    @Override
    public boolean getNoLocal() throws JMSException {
        requireOpen();
        return spec.noLocal();
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        requireOpen();
        return spec.selector();
    }

    boolean hasListener() {
        return listener != null;
    }

    @Override
    public @Nullable MessageListener getMessageListener() throws JMSException {
        requireOpen();
        return listener;
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) throws JMSException {
        lifeLock.lock();
        try {
            requireOpen();
            countListener(listener != null);
            this.listener = listener;
        } finally {
            lifeLock.unlock();
        }
        if (listener == null) {
            link.wire().recallReading();
            session.dispatch().awaitLeft(this);
        } else {
            session.dispatch().signal();
        }
    }

    private void countListener(boolean nowListening) {
        if (nowListening != hasListener()) {
            session.connection().processHold().onListeners(nowListening ? 1 : -1);
        }
    }

    @Override
    public @Nullable WinnowMessage receive() throws JMSException {
        return receiveWithin(WITHOUT_LIMIT);
    }

    /// Receives within `timeout` milliseconds; 0 waits without limit.
    @Override
    public @Nullable WinnowMessage receive(long timeout) throws JMSException {
        return receiveWithin(nanos(timeout));
    }

    @Override
    public @Nullable WinnowMessage receiveNoWait() throws JMSException {
        return receiveWithin(0);
    }

    /// Nanoseconds of a timeout in milliseconds; 0 is without limit.
    static long nanos(long timeout) {
        return timeout <= 0 ? WITHOUT_LIMIT : TimeUnit.MILLISECONDS.toNanos(timeout);
    }

    private @Nullable WinnowMessage receiveWithin(long nanos) throws JMSException {
        return receive(
                nanos,
                message -> {
                    acknowledging.onReceived(this, message);
                    return message;
                });
    }

    /// What is done with a message that is received.
    @FunctionalInterface
    interface Use<T> {
        /// Has to tell [Acknowledging#onReceived] or [Acknowledging#onUnusableBody] of it.
        T of(WinnowMessage message) throws JMSException;
    }

    /// Receives, and uses the message before the consumer can be closed.
    ///
    /// @param nanos longest wait, negative to wait without limit
    <T> @Nullable T receive(long nanos, Use<T> use) throws JMSException {
        receiving.lock();
        try {
            WinnowMessage message = take(nanos);
            return message == null ? null : use.of(message);
        } finally {
            receiving.unlock();
        }
    }

    private @Nullable WinnowMessage take(long nanos) throws JMSException {
        requireOpen();
        session.requireNoListeners();
        long deadline = System.nanoTime() + nanos;
        boolean asked = nanos != 0 || spec.role() == null;
        while (true) {
            long rest = nanos < 0 ? WITHOUT_LIMIT : Math.max(0, deadline - System.nanoTime());
            WinnowMessage message = inbox.take(rest);
            if (message == null && (asked || !inbox.isStarted())) {
                return null;
            }
            if (message == null) {
                asked = true;
                session.awaitDeliveries();
            } else if (!isVoid(message)) {
                if (!isExpired(message)) {
                    return message;
                }
                acknowledging.onExpired(this, message);
            }
        }
    }

    /// Which mode says what becomes of its messages.
    Acknowledging acknowledging() {
        return acknowledging;
    }

    private boolean isVoid(WinnowMessage message) {
        return spec.role() != null && session.channel().isVoid(message.deliveryId());
    }

    private static boolean isExpired(WinnowMessage message) {
        try {
            return message.isExpiredAt(System.currentTimeMillis());
        } catch (JMSException e) {
            // A damaged block: the application learns of it when it looks at the message.
            return false;
        }
    }

    /// Gives what has arrived to the listener, as long as the session is started, and at most
    /// [#TURN] messages, so that the session's other consumers get their turn. Thread of control.
    ///
    /// @return whether there may be more
    boolean deliverToListener(ListenerDispatch dispatch) {
        for (int i = 0; i < TURN; i++) {
            MessageListener target = listener;
            if (target == null || closed || !dispatch.isStarted()) {
                return false;
            }
            WinnowMessage message = inbox.poll();
            if (message == null) {
                return false;
            }
            deliver(target, message);
        }
        return true;
    }

    private void deliver(MessageListener target, WinnowMessage message) {
        if (isVoid(message)) {
            return;
        }
        if (isExpired(message)) {
            acknowledging.onExpired(this, message);
            return;
        }
        acknowledging.onDelivery(this, message);
        boolean returned = failures.call(target, message);
        acknowledging.onListenerReturn(this, message, !returned);
    }

    /// The part of the heap that the broker fills. Guarded by the acknowledgement mode.
    PrefetchWindow window() {
        return window;
    }

    /// A message is gone from here, so that the broker may send another. Guarded by the
    /// acknowledgement mode.
    void onConsumed(int frameBytes) {
        if (frameBytes > 0) {
            window.onConsumed(frameBytes);
            grantIfDue();
        }
    }

    /// A message was delivered and is kept until it is acknowledged. Guarded by the acknowledgement
    /// mode.
    void onHeld(int frameBytes) {
        window.hold(frameBytes);
        grantIfDue();
        if (window.isHeldFirst()) {
            LOG.warn(
                    "a consumer of '{}' gets no more messages until the session acknowledges: {}"
                            + " are unacknowledged, which is all of its prefetch window",
                    spec.destination(),
                    window.heldMessages());
        }
    }

    /// A message whose credit was given back has gone back to the broker. Thread of control.
    void onGivenBack(int bytes) {
        window.onGivenBack(bytes);
    }

    /// A message that [#onGivenBack] was told of has not gone back: it was acknowledged before. Any
    /// thread.
    void onNotGivenBack(int bytes) {
        WireSubscription granted = subscription;
        if (granted != null && !closed) {
            granted.grant(1, bytes);
        }
    }

    /// Whether nothing has come that was not delivered. Thread of control.
    boolean isDrained() {
        return inbox.isDrained();
    }

    /// Forgets messages that have come, because the broker takes them back: those that it keeps.
    /// Thread of control.
    void discardStored() {
        if (spec.role() != null) {
            inbox.discard();
        }
    }

    private void grantIfDue() {
        WireSubscription granted = subscription;
        if (window.isGrantDue() && granted != null && !closed) {
            granted.grant(window.consumedMessages(), window.consumedBytes());
            window.onGranted();
        }
    }

    /// A message of this consumer from the block that was received.
    WinnowMessage received(byte[] block, int frameBytes, int deliveryCount) {
        return ReceivedMessages.of(block, origin, frameBytes, deliveryCount);
    }

    /// Makes messages be delivered again, in front of all others.
    void putBack(List<WinnowMessage> messages) {
        inbox.putBack(messages);
        if (listener != null) {
            session.dispatch().signal();
        }
    }

    void started(boolean started) {
        inbox.started(started);
    }

    void onLost(TransportException cause) {
        inbox.onLost(cause);
    }

    /// Ends the subscription, makes receive return null and waits for the listener if it runs in
    /// another thread. Does nothing the second time.
    @Override
    public void close() throws JMSException {
        WireSubscription left = detach();
        if (left != null) {
            session.dispatch().awaitLeft(this);
            session.forget(this);
            link.wire().awaitEnds(List.of(left.end()));
        }
    }

    /// Closes this side, so that receive returns null and the listener is not called again. Waits
    /// for a receive that has taken a message already.
    ///
    /// @return the subscription that is left to end; null if it was never asked for, or if the
    ///   consumer was closed before
    @Nullable WireSubscription detach() {
        WireSubscription left = closeHere();
        receiving.lock();
        try {
            return left;
        } finally {
            receiving.unlock();
        }
    }

    private @Nullable WireSubscription closeHere() {
        lifeLock.lock();
        try {
            if (closed) {
                return null;
            }
            closed = true;
            countListener(false);
            return subscription;
        } finally {
            lifeLock.unlock();
            inbox.close();
        }
    }
}
