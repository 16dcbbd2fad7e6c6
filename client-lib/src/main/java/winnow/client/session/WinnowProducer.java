package winnow.client.session;

import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import winnow.client.acknowledge.SessionWork;
import winnow.client.destination.WinnowDestination;
import winnow.client.destination.WinnowTopic;
import winnow.client.error.JmsErrors;
import winnow.client.link.BrokerLink;
import winnow.client.link.Current;
import winnow.client.link.OpenDestinations;
import winnow.client.link.PendingSend;
import winnow.client.link.SyncSend;
import winnow.client.message.ForeignMessages;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.PublishHandle;
import winnow.client.transport.PublishTerms;
import winnow.client.transport.endpoint.TransportException;

/// One producer, with or without a destination of its own. Used by its session's thread; [#close]
/// is safe from any thread.
///
/// A PERSISTENT message is confirmed by the broker before `send` returns, a NON_PERSISTENT one and
/// one of a transaction are on their way; with a CompletionListener all are confirmed to the
/// listener.
public final class WinnowProducer implements TopicPublisher, QueueSender {
    private final WinnowSession session;
    private final @Nullable WinnowDestination destination;
    private final BrokerLink link;
    private final long sendTimeoutNanos;
    private final AtomicReference<@Nullable OpenDestination> current = new AtomicReference<>();
    private final SendSettings settings = new SendSettings();
    private volatile boolean closed;

    /// @param destination null for a producer that is told with each message
    WinnowProducer(WinnowSession session, @Nullable WinnowDestination destination) {
        this.session = session;
        this.destination = destination;
        link = session.connection().link();
        sendTimeoutNanos = session.connection().options().sendTimeoutNanos();
    }

    /// Opens its destination, if it has one.
    ///
    /// @throws JMSException if the broker refuses
    void open() throws JMSException {
        if (destination != null) {
            PublishHandle unused = link.call(now -> handleOf(destination, now));
        }
    }

    /// The destination if messages can be sent to it.
    ///
    /// @throws jakarta.jms.InvalidDestinationException if it is none, or carries a filter, which
    ///   only consumers may have
    public static WinnowDestination sendable(@Nullable Destination destination)
            throws JMSException {
        WinnowDestination adopted = WinnowDestination.adopt(destination);
        return adopted instanceof WinnowTopic topic ? topic.requireNoFilter() : adopted;
    }

    private PublishHandle handleOf(WinnowDestination target, Current now)
            throws JMSException, TransportException {
        OpenDestination known = current.get();
        if (known != null && known.on.equals(now.destinations()) && target.equals(known.target)) {
            return known.handle;
        }
        release();
        PublishHandle opened = now.destinations().acquire(target);
        current.set(new OpenDestination(now.destinations(), target, opened));
        if (closed) {
            release();
        }
        requireOpen();
        return opened;
    }

    /// Gives back what is open, once, whoever comes first: the sending thread or [#close].
    private void release() {
        OpenDestination released = current.getAndSet(null);
        if (released != null) {
            released.on.release(released.target);
        }
    }

    /// @param on those of one connection
    private record OpenDestination(
            OpenDestinations on, WinnowDestination target, PublishHandle handle) {}

    private void requireOpen() throws JMSException {
        if (closed) {
            throw JmsErrors.closed("producer");
        }
    }

    private WinnowDestination ownDestination() throws JMSException {
        requireOpen();
        if (destination == null) {
            throw new UnsupportedOperationException(
                    "this producer has no destination: name one with each message");
        }
        return destination;
    }

    private void requireNoDestination() throws JMSException {
        requireOpen();
        if (destination != null) {
            throw new UnsupportedOperationException(
                    "this producer sends to '" + destination + "' only");
        }
    }

    /// Sends with settings that are not the producer's own.
    public void send(
            WinnowDestination target,
            Message message,
            SendSettings with,
            @Nullable CompletionListener listener)
            throws JMSException {
        requireOpen();
        if (message == null) {
            throw new MessageFormatException("expected a message, found null");
        }
        WinnowMessage own =
                message instanceof WinnowMessage winnow ? winnow : ForeignMessages.copy(message);
        long now = System.currentTimeMillis();
        own.setJMSDestination(target);
        own.setJMSDeliveryMode(with.deliveryMode());
        own.setJMSPriority(with.priority());
        own.setJMSExpiration(with.expiration(now));
        own.setJMSTimestamp(with.timestamp(now));
        own.setJMSDeliveryTime(with.deliveryTime(now));
        if (with.isMessageIdDisabled()) {
            own.setJMSMessageID(null);
        } else {
            link.wire().assignId(own);
        }
        if (!(message instanceof WinnowMessage)) {
            ForeignMessages.copyHeadersBack(own, message);
        }
        if (listener != null) {
            Completions completions = session.completions();
            AsyncSend.Given given = new AsyncSend.Given(message, listener);
            sendAsync(
                    target,
                    own,
                    new AsyncSend(this, given, own, target, completions, sendTimeoutNanos));
        } else if (with.deliveryMode() == DeliveryMode.PERSISTENT
                && !session.work().isTransacted()) {
            SyncSend confirmation = new SyncSend(own, target, sendTimeoutNanos);
            publish(target, own, confirmation);
            confirmation.await(link);
        } else {
            publish(target, own, null);
        }
    }

    private void sendAsync(WinnowDestination target, WinnowMessage own, AsyncSend send)
            throws JMSException {
        Completions completions = session.completions();
        completions.onSend(send);
        boolean sent = false;
        try {
            publish(target, own, send);
            sent = true;
        } finally {
            if (!sent) {
                completions.onSendFailed(send);
            }
        }
    }

    /// Publishes once there is a connection. What is not written completely when the connection is
    /// lost is written on the next one.
    private void publish(
            WinnowDestination target, WinnowMessage own, @Nullable PendingSend confirmation)
            throws JMSException {
        long deadline = System.nanoTime() + sendTimeoutNanos;
        while (true) {
            Current now = link.sendable(deadline);
            try {
                publish(target, own, confirmation, now);
                return;
            } catch (TransportException e) {
                if (!now.isLost()) {
                    throw JmsErrors.of(e);
                }
            }
        }
    }

    private void publish(
            WinnowDestination target,
            WinnowMessage own,
            @Nullable PendingSend confirmation,
            Current now)
            throws JMSException, TransportException {
        PublishHandle to = handleOf(target, now);
        SessionWork work = session.work();
        int transaction = work.onPublish(now);
        if (confirmation != null) {
            confirmation.onSend(now.wire(), to, transaction);
        }
        PublishTerms terms = new PublishTerms(transaction, confirmation);
        if (transaction != 0 && work.isDistributed()) {
            now.wire().publishWhole(to, own, terms, sendTimeoutNanos);
        } else {
            now.wire().publish(to, own, terms, sendTimeoutNanos);
        }
    }

    private SendSettings with(int deliveryMode, int priority, long timeToLive) throws JMSException {
        requireOpen();
        return settings.with(deliveryMode, priority, timeToLive);
    }

    private static CompletionListener required(@Nullable CompletionListener listener) {
        if (listener == null) {
            throw new IllegalArgumentException("expected a CompletionListener, found null");
        }
        return listener;
    }

    @Override
    public void send(Message message) throws JMSException {
        send(ownDestination(), message, settings, null);
    }

    @Override
    public void send(Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        SendSettings with = with(deliveryMode, priority, timeToLive);
        send(ownDestination(), message, with, null);
    }

    @Override
    public void send(Destination destination, Message message) throws JMSException {
        requireNoDestination();
        send(sendable(destination), message, settings, null);
    }

    @Override
    public void send(
            Destination destination,
            Message message,
            int deliveryMode,
            int priority,
            long timeToLive)
            throws JMSException {
        requireNoDestination();
        SendSettings with = with(deliveryMode, priority, timeToLive);
        send(sendable(destination), message, with, null);
    }

    @Override
    public void send(Message message, CompletionListener listener) throws JMSException {
        send(ownDestination(), message, settings, required(listener));
    }

    @Override
    public void send(
            Message message,
            int deliveryMode,
            int priority,
            long timeToLive,
            CompletionListener listener)
            throws JMSException {
        SendSettings with = with(deliveryMode, priority, timeToLive);
        send(ownDestination(), message, with, required(listener));
    }

    @Override
    public void send(Destination destination, Message message, CompletionListener listener)
            throws JMSException {
        requireNoDestination();
        send(sendable(destination), message, settings, required(listener));
    }

    @Override
    public void send(
            Destination destination,
            Message message,
            int deliveryMode,
            int priority,
            long timeToLive,
            CompletionListener listener)
            throws JMSException {
        requireNoDestination();
        SendSettings with = with(deliveryMode, priority, timeToLive);
        send(sendable(destination), message, with, required(listener));
    }

    @Override
    public void publish(Message message) throws JMSException {
        send(message);
    }

    @Override
    public void publish(Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        send(message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void publish(Topic topic, Message message) throws JMSException {
        send(topic, message);
    }

    @Override
    public void publish(
            Topic topic, Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        send(topic, message, deliveryMode, priority, timeToLive);
    }

    @Override
    public void send(Queue queue, Message message) throws JMSException {
        send((Destination) queue, message);
    }

    @Override
    public void send(Queue queue, Message message, int deliveryMode, int priority, long timeToLive)
            throws JMSException {
        send((Destination) queue, message, deliveryMode, priority, timeToLive);
    }

    @Override
    public @Nullable Destination getDestination() throws JMSException {
        requireOpen();
        return destination;
    }

    @Override
    public @Nullable Topic getTopic() throws JMSException {
        requireOpen();
        return destination instanceof Topic topic ? topic : null;
    }

    @Override
    public @Nullable Queue getQueue() throws JMSException {
        requireOpen();
        return destination instanceof Queue queue ? queue : null;
    }

    @Override
    public void setDisableMessageID(boolean disabled) throws JMSException {
        requireOpen();
        settings.setMessageIdDisabled(disabled);
    }

    @Override
    public boolean getDisableMessageID() throws JMSException {
        requireOpen();
        return settings.isMessageIdDisabled();
    }

    @Override
    public void setDisableMessageTimestamp(boolean disabled) throws JMSException {
        requireOpen();
        settings.setTimestampDisabled(disabled);
    }

    @Override
    public boolean getDisableMessageTimestamp() throws JMSException {
        requireOpen();
        return settings.isTimestampDisabled();
    }

    @Override
    public void setDeliveryMode(int deliveryMode) throws JMSException {
        requireOpen();
        settings.setDeliveryMode(deliveryMode);
    }

    @Override
    public int getDeliveryMode() throws JMSException {
        requireOpen();
        return settings.deliveryMode();
    }

    @Override
    public void setPriority(int priority) throws JMSException {
        requireOpen();
        settings.setPriority(priority);
    }

    @Override
    public int getPriority() throws JMSException {
        requireOpen();
        return settings.priority();
    }

    @Override
    public void setTimeToLive(long timeToLive) throws JMSException {
        requireOpen();
        settings.setTimeToLive(timeToLive);
    }

    @Override
    public long getTimeToLive() throws JMSException {
        requireOpen();
        return settings.timeToLive();
    }

    /// Sets for how long the broker holds messages back, in milliseconds.
    @Override
    public void setDeliveryDelay(long deliveryDelay) throws JMSException {
        requireOpen();
        settings.setDeliveryDelay(deliveryDelay);
    }

    @Override
    public long getDeliveryDelay() throws JMSException {
        requireOpen();
        return settings.deliveryDelay();
    }

    /// Waits for asynchronous sends and their completion listeners, then gives the destination
    /// back. Does nothing the second time.
    ///
    /// @throws IllegalStateException if called by a completion listener of this producer
    @Override
    public void close() throws JMSException {
        if (closed) {
            return;
        }
        Predicate<AsyncSend> own = send -> equals(send.producer());
        if (session.completions().isRunner(own)) {
            throw new IllegalStateException(
                    "close() must not be called by a completion listener of the producer");
        }
        session.completions().await(own, session.connection().options().closeTimeoutMillis());
        closeWithSession();
    }

    /// Closes the producer of a session that has waited for the asynchronous sends of all.
    void closeWithSession() {
        closed = true;
        release();
        session.forget(this);
    }
}
