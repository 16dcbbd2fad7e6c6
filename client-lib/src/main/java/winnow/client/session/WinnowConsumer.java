package winnow.client.session;

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
import org.jspecify.annotations.Nullable;
import winnow.client.acknowledge.Acknowledging;
import winnow.client.acknowledge.PrefetchConsumer;
import winnow.client.acknowledge.SessionWork;
import winnow.client.destination.WinnowDestination;
import winnow.client.error.JmsErrors;
import winnow.client.link.BrokerLink;
import winnow.client.message.WinnowMessage;
import winnow.client.option.ConnectionOptions;
import winnow.client.receive.ConsumerBuffer;
import winnow.client.receive.ConsumerSpec;
import winnow.client.receive.InboxOwner;
import winnow.client.receive.PrefetchWindow;
import winnow.client.receive.StoredCredit;
import winnow.client.transport.WireSubscription;
import winnow.client.transport.endpoint.TransportException;

/// One consumer of a topic or queue: a subscription at the broker, or a consumer of the session
/// there, and a [ConsumerBuffer] here. Used by its session's thread of control; [#close] is safe
/// from any thread.
public final class WinnowConsumer
        implements MessageConsumer, TopicSubscriber, QueueReceiver, PrefetchConsumer {
    private static final int TURN = 1000;

    private final WinnowSession session;
    private final ConsumerSpec spec;
    private final Acknowledging acknowledging;
    private final BrokerLink link;
    private final ConsumerBuffer inbox;
    private final PrefetchWindow window;
    private final ListenerFailures failures;
    private final StoredCredit credit;
    private final SentAhead ahead;
    private final Receiving receiving;
    private final ConsumerSubscription subscription;
    private volatile @Nullable MessageListener listener;

    /// A consumer that has to [subscribe][#subscribe].
    ///
    /// @param window what it gets ahead
    WinnowConsumer(WinnowSession session, ConsumerSpec spec, PrefetchWindow window) {
        this.session = session;
        this.spec = spec;
        SessionWork work = session.work();
        acknowledging = spec.role() == null ? work.live() : work.stored();
        ConnectionOptions options = session.connection().options();
        this.window = window;
        failures = new ListenerFailures(spec.destination());
        link = session.connection().link();
        subscription = new ConsumerSubscription(this, session, spec, window);
        ConsumerBuffer.Room room = new ConsumerBuffer.Room(window, options.maxMessageBytes());
        inbox =
                new ConsumerBuffer(
                        subscription.origin(),
                        session.connection().spillSpace(),
                        room,
                        new Arrivals());
        credit = new StoredCredit(window);
        ahead = new SentAhead(this, session, inbox, credit);
        receiving = new Receiving(this, session, inbox);
    }

    /// News of the inbox.
    private final class Arrivals implements InboxOwner {
        @Override
        public void onArrival() {
            if (listener != null) {
                session.dispatch().signal();
            }
        }

        @Override
        public boolean isListening() {
            return WinnowConsumer.this.isListening();
        }

        @Override
        public void onRecall() {
            ahead.onRecall();
        }

        /// The broker does not keep it: it may send another one.
        @Override
        public void onSkipped(long delivery, int frameBytes) {
            if (delivery == 0) {
                subscription.grantSkipped(frameBytes);
            }
        }
    }

    /// Subscribes.
    ///
    /// @throws JMSException if the broker refuses, or the session is closed meanwhile
    void subscribe() throws JMSException {
        subscription.begin();
        try {
            session.requireOpen();
        } catch (IllegalStateException e) {
            // Either this thread or the one that closes the session ends the subscription.
            close();
            throw e;
        }
    }

    /// True if the broker keeps its messages until they are acknowledged.
    boolean isStored() {
        return spec.role() != null;
    }

    /// Messages that the broker has sent ahead.
    SentAhead ahead() {
        return ahead;
    }

    ConsumerBuffer inbox() {
        return inbox;
    }

    boolean isClosed() {
        return subscription.isClosed();
    }

    /// True if the application waits for messages as soon as the connection is started.
    boolean wants() {
        return hasListener() || receiving.isRunning();
    }

    /// True if messages go to a listener now.
    boolean isListening() {
        return listener != null && session.dispatch().isStarted();
    }

    void requireOpen() throws JMSException {
        subscription.requireOpen();
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
        subscription.whileOpen(() -> {
            countListener(listener != null);
            this.listener = listener;
        });
        if (listener == null) {
            link.wire().recallReading();
            session.dispatch().awaitLeft(this);
        } else {
            ahead.onWanted();
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
        return receiveWithin(Receiving.WITHOUT_LIMIT);
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
    public static long nanos(long timeout) {
        return timeout <= 0 ? Receiving.WITHOUT_LIMIT : TimeUnit.MILLISECONDS.toNanos(timeout);
    }

    private @Nullable WinnowMessage receiveWithin(long nanos) throws JMSException {
        return receive(
                nanos,
                message -> {
                    acknowledging.onReceived(this, message);
                    return message;
                });
    }

    /// Receives, and uses the message before the consumer can be closed.
    ///
    /// @param nanos longest wait, negative to wait without limit
    public <T> @Nullable T receive(long nanos, Receiving.Use<T> use) throws JMSException {
        return receiving.receive(nanos, use);
    }

    /// True if the application may have a message. One that has expired is told to the
    /// acknowledgement mode. [Locked][SentAhead#lockHanding].
    boolean admits(WinnowMessage message) {
        if (isVoid(message)) {
            return false;
        }
        if (Receiving.isExpired(message)) {
            acknowledging.onExpired(this, message);
            return false;
        }
        return true;
    }

    /// Which mode says what becomes of its messages.
    public Acknowledging acknowledging() {
        return acknowledging;
    }

    private boolean isVoid(WinnowMessage message) {
        return isStored()
                && (!subscription.isCurrent(message)
                        || credit.isVoid(message.deliveryId())
                        || session.channel().isVoid(message.deliveryId()));
    }

    /// Gives what has arrived to the listener, as long as the session is started, and at most
    /// [#TURN] messages, so that the session's other consumers get their turn. Thread of control.
    ///
    /// @return whether there may be more
    boolean deliverToListener(ListenerDispatch dispatch) {
        for (int i = 0; i < TURN; i++) {
            MessageListener target = listener;
            if (target == null || isClosed() || !dispatch.isStarted()) {
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

    /// Gives a message to a listener, unless it may not have it. Thread of control.
    void deliver(MessageListener target, WinnowMessage message) {
        ahead.lockHanding();
        try {
            if (!admits(message)) {
                return;
            }
            ahead.onHanded(message);
            acknowledging.onDelivery(this, message);
        } finally {
            ahead.unlockHanding();
        }
        boolean returned = failures.call(target, message);
        ahead.lockHanding();
        try {
            acknowledging.onListenerReturn(this, message, !returned);
            ahead.onReturned();
        } finally {
            ahead.unlockHanding();
        }
    }

    @Override
    public PrefetchWindow window() {
        return window;
    }

    @Override
    public void onConsumed(int frameBytes) {
        if (frameBytes <= 0) {
            return;
        }
        if (isStored()) {
            credit.onConsumed(frameBytes, inbox.hasPassed());
        } else {
            window.onConsumed(frameBytes);
            subscription.grantConsumed();
        }
    }

    @Override
    public void onHeld(int frameBytes) {
        window.hold(frameBytes);
        subscription.grantConsumed();
        if (window.isHeldFirst() && hasListener()) {
            session.connection().tell(full());
        }
    }

    /// Says that no more messages come before the session acknowledges.
    private JMSException full() {
        return session.connection().unacknowledged().full(spec.destination().toString());
    }

    /// @throws JMSException if nothing can come before the session acknowledges
    void requireRoom() throws JMSException {
        if (isStored()) {
            ahead.requireRoom();
        } else if (window.isHeld()) {
            throw full();
        }
    }

    @Override
    public void onReturned() {
        ahead.onReturned();
    }

    @Override
    public void onGivenBack(int bytes) {
        credit.onGivenBack(bytes);
    }

    @Override
    public void onNotGivenBack(int bytes) {
        credit.onNotGivenBack(bytes);
    }

    @Override
    public boolean isDrained() {
        return inbox.isDrained();
    }

    @Override
    public void discardStored() {
        if (isStored()) {
            inbox.discard();
        }
    }

    @Override
    public void putBack(List<WinnowMessage> messages) {
        inbox.putBack(messages);
        if (listener != null) {
            session.dispatch().signal();
        }
    }

    void started(boolean started) {
        inbox.started(started);
        ahead.onWanted();
    }

    /// There is no connection for good.
    void onLost(TransportException cause) {
        inbox.onLost(cause);
    }

    /// The broker has refused to make it again after a loss.
    void fail(TransportException cause) {
        inbox.onLost(cause);
        session.connection().tell(JmsErrors.of(cause));
    }

    /// Subscription of the consumer at the broker.
    ConsumerSubscription subscription() {
        return subscription;
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
        return receiving.afterReceive(left);
    }

    private @Nullable WireSubscription closeHere() {
        WireSubscription left =
                subscription.close(() -> {
                    credit.close();
                    countListener(false);
                });
        inbox.close();
        return left;
    }
}
