package winnow.client;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.client.destination.WinnowTopic;
import winnow.client.message.MessageOrigin;
import winnow.client.message.ReceivedMessages;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.TransportException;
import winnow.client.transport.WireConnection;
import winnow.client.transport.WireSubscription;
import winnow.wire.Source;

/// One consumer of a topic: a subscription at the broker and an [Inbox] here. Used by its session's
/// thread of control; [#close] is safe from any thread.
final class WinnowConsumer implements MessageConsumer, TopicSubscriber {
    private static final Logger LOG = LoggerFactory.getLogger(WinnowConsumer.class);

    private static final int TURN = 1000;

    private final WinnowSession session;
    private final WinnowTopic topic;
    private final @Nullable String selector;
    private final boolean noLocal;
    private final WireConnection wire;
    private final Inbox inbox;
    private final MessageOrigin origin;
    private final PrefetchWindow window;

    /// Guards that the consumer is closed before its subscription is asked for, or has one to end.
    private final ReentrantLock lifeLock = new ReentrantLock();

    private volatile @Nullable MessageListener listener;
    private volatile @Nullable WireSubscription subscription;
    private volatile boolean closed;

    /// A consumer that has to [subscribe][#subscribe].
    WinnowConsumer(
            WinnowSession session, WinnowTopic topic, @Nullable String selector, boolean noLocal) {
        this.session = session;
        this.topic = topic;
        this.selector = selector == null || selector.isBlank() ? null : selector;
        this.noLocal = noLocal;
        ConnectionOptions options = session.connection().options();
        window = new PrefetchWindow(options.prefetchMessages(), options.prefetchBytes());
        wire = session.connection().wire();
        origin =
                new MessageOrigin(
                        topic.withoutFilter(),
                        wire.names(),
                        session::acknowledge,
                        options.allowedClasses());
        inbox = new Inbox(origin, this::onArrival, this::isListening);
    }

    /// Subscribes.
    ///
    /// @throws JMSException if the broker refuses, or the session is closed meanwhile
    void subscribe() throws JMSException {
        Source source =
                new Source(
                        topic.kind(),
                        topic.name(),
                        selector == null ? "" : selector,
                        topic.correlationIdFilter());
        try {
            ask(source).awaitAccepted();
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

    private WireSubscription ask(Source source) throws JMSException, TransportException {
        lifeLock.lock();
        try {
            requireOpen();
            WireSubscription asked =
                    wire.subscribe(source, noLocal, window.messages(), window.bytes(), inbox);
            subscription = asked;
            return asked;
        } finally {
            lifeLock.unlock();
        }
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

    @Override
    public Topic getTopic() throws JMSException {
        requireOpen();
        return topic;
    }

    @Override
    public boolean getNoLocal() throws JMSException {
        requireOpen();
        return noLocal;
    }

    @Override
    public @Nullable String getMessageSelector() throws JMSException {
        requireOpen();
        return selector;
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
            wire.recallReading();
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
        return receiveWithin(-1);
    }

    /// Receives within `timeout` milliseconds; 0 waits without limit.
    @Override
    public @Nullable WinnowMessage receive(long timeout) throws JMSException {
        return receiveWithin(timeout <= 0 ? -1 : TimeUnit.MILLISECONDS.toNanos(timeout));
    }

    @Override
    public @Nullable WinnowMessage receiveNoWait() throws JMSException {
        return receiveWithin(0);
    }

    private @Nullable WinnowMessage receiveWithin(long nanos) throws JMSException {
        requireOpen();
        session.requireNoListeners();
        long deadline = System.nanoTime() + nanos;
        while (true) {
            long rest = nanos < 0 ? -1 : Math.max(0, deadline - System.nanoTime());
            WinnowMessage message = inbox.take(rest);
            if (message == null) {
                return null;
            }
            if (!isExpired(message)) {
                session.acknowledging().onReceived(this, message);
                return message;
            }
            session.acknowledging().onExpired(this, message);
        }
    }

    /// The application cannot have the body of a message that was just received.
    void onUnusableBody(WinnowMessage message) throws JMSException {
        session.acknowledging().onUnusableBody(this, message);
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
        if (isExpired(message)) {
            session.acknowledging().onExpired(this, message);
            return;
        }
        session.acknowledging().onDelivery(this, message);
        boolean returned =
                CallbackThreads.call("a message listener", () -> target.onMessage(message));
        session.acknowledging().onListenerReturn(this, message, !returned);
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
                    topic,
                    window.heldMessages());
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
            endAll(wire, List.of(left));
        }
    }

    /// Closes this side, so that receive returns null and the listener is not called again.
    ///
    /// @return the subscription that is left to end; null if it was never asked for, or if the
    ///   consumer was closed before
    @Nullable WireSubscription detach() {
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

    /// Ends subscriptions of consumers that were [detached][#detach].
    static void endAll(WireConnection wire, List<WireSubscription> left) {
        try {
            wire.unsubscribe(left);
        } catch (TransportException e) {
            // The connection is gone, and the subscriptions with it.
            LOG.debug("could not unsubscribe", e);
        }
    }
}
