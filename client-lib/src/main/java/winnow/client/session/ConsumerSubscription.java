package winnow.client.session;

import jakarta.jms.JMSException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowTopic;
import winnow.client.error.JmsErrors;
import winnow.client.link.Current;
import winnow.client.message.MessageOrigin;
import winnow.client.message.WinnowMessage;
import winnow.client.receive.ConsumerBuffer;
import winnow.client.receive.ConsumerSpec;
import winnow.client.receive.LiveCredit;
import winnow.client.receive.PrefetchWindow;
import winnow.client.transport.ConsumerTerms;
import winnow.client.transport.WireSession;
import winnow.client.transport.WireSubscription;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ConsumerRole;
import winnow.wire.ErrorCode;

/// The subscription of one consumer at the broker: asks for it, and again on each connection that
/// follows a lost one. Thread-safe.
final class ConsumerSubscription {
    /// Said while the broker holds what belonged to the lost connection, or is busy with many that
    /// come back.
    private static final Set<ErrorCode> PASSING =
            EnumSet.of(
                    ErrorCode.SUBSCRIPTION_IN_USE,
                    ErrorCode.DESTINATION_IN_USE,
                    ErrorCode.LIMIT_EXCEEDED,
                    ErrorCode.STORE_UNAVAILABLE);

    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int FIRST_PAUSE_MILLIS = 50;
    private static final int MAX_PAUSE_MILLIS = 5000;

    private final WinnowConsumer consumer;
    private final WinnowSession session;
    private final ConsumerSpec spec;
    private final PrefetchWindow window;

    /// Guards that the consumer is closed before its subscription is asked for, or has one to end.
    private final ReentrantLock lifeLock = new ReentrantLock();

    private volatile @Nullable WireSubscription subscription;
    private volatile MessageOrigin origin;
    private volatile boolean closed;

    /// True if it is made again after a loss. Guarded by the lifeLock.
    private boolean established;

    private final LiveCredit credit;

    ConsumerSubscription(
            WinnowConsumer consumer,
            WinnowSession session,
            ConsumerSpec spec,
            PrefetchWindow window) {
        this.consumer = consumer;
        this.session = session;
        this.spec = spec;
        this.window = window;
        credit = new LiveCredit(window);
        origin = originOf(session.connection().link().now());
    }

    private MessageOrigin originOf(Current now) {
        int losses = session.losses();
        boolean stored = spec.role() != null;
        return new MessageOrigin(
                spec.destination() instanceof WinnowTopic topic
                        ? topic.withoutFilter()
                        : spec.destination(),
                now.wire().names(),
                stored ? () -> session.acknowledge(losses) : session::acknowledge,
                session.connection().options().allowedClasses());
    }

    /// Origin of the messages that come now.
    MessageOrigin origin() {
        return origin;
    }

    /// Tells if a message has come since the last loss.
    boolean isCurrent(WinnowMessage message) {
        return message.isOf(origin);
    }

    boolean isClosed() {
        return closed;
    }

    /// Does something that must not happen after [#close].
    void whileOpen(JmsErrors.Action action) throws JMSException {
        lifeLock.lock();
        try {
            requireOpen();
            action.run();
        } finally {
            lifeLock.unlock();
        }
    }

    void requireOpen() throws JMSException {
        if (closed) {
            throw JmsErrors.closed("consumer");
        }
    }

    /// Subscribes, and waits for the answer.
    ///
    /// @throws JMSException if the broker refuses, or there is no connection for too long
    void begin() throws JMSException {
        boolean done = false;
        while (!done) {
            done =
                    session.connection()
                            .link()
                            .call(now -> {
                                Asked asked = ask(now);
                                asked.subscription.awaitAccepted();
                                return establish(now, asked);
                            });
        }
    }

    /// @param session null without one
    private record Asked(WireSubscription subscription, @Nullable WireSession session) {}

    private Asked ask(Current now) throws JMSException, TransportException {
        lifeLock.lock();
        try {
            requireOpen();
            origin = originOf(now);
            consumer.inbox().origin(origin);
            ConsumerRole role = spec.role();
            Asked asked = role == null ? askLive(now) : askStored(now, role);
            subscription = asked.subscription;
            return asked;
        } finally {
            lifeLock.unlock();
        }
    }

    private Asked askLive(Current now) throws TransportException {
        window.open();
        WireSubscription asked =
                credit.begin(
                        consumer.inbox().total(),
                        (messages, bytes) ->
                                now.wire()
                                        .subscribe(
                                                spec.source(),
                                                spec.noLocal(),
                                                messages,
                                                bytes,
                                                consumer.inbox()));
        return new Asked(asked, null);
    }

    private Asked askStored(Current now, ConsumerRole role)
            throws JMSException, TransportException {
        ConsumerBuffer inbox = consumer.inbox();
        boolean wanted = inbox.isStarted();
        consumer.ahead().credit().begin(wanted);
        ConsumerTerms terms =
                new ConsumerTerms(
                        role,
                        spec.source(),
                        spec.subscription(),
                        spec.noLocal(),
                        wanted ? window.messages() : 0,
                        wanted ? window.bytes() : 0);
        WireSession of = session.channel().open(now);
        return new Asked(of.consume(terms, inbox, () -> session.unacknowledged(consumer)), of);
    }

    /// The broker has accepted it. From now on it is made again after a loss.
    ///
    /// @return false if the connection is lost already
    private boolean establish(Current now, Asked asked) {
        lifeLock.lock();
        try {
            if (now.isLost()) {
                return false;
            }
            established = true;
        } finally {
            lifeLock.unlock();
        }
        onAccepted(asked);
        return true;
    }

    private void onAccepted(Asked asked) {
        if (asked.session != null) {
            consumer.ahead().onAccepted(asked.session, asked.subscription);
        }
    }

    /// The connection is lost, and nothing comes of it any more: what was sent ahead is void if the
    /// broker keeps it.
    void detach() {
        if (spec.role() == null) {
            return;
        }
        consumer.ahead().lockHanding();
        try {
            MessageOrigin before = origin;
            // Another one that is equal.
            origin =
                    new MessageOrigin(
                            before.destination(),
                            before.names(),
                            before.acknowledgement(),
                            before.allowedClasses());
            consumer.ahead().forget();
            consumer.inbox().discardArrived();
        } finally {
            consumer.ahead().unlockHanding();
        }
    }

    /// Subscribes again on another connection, without waiting for the answer. If the broker
    /// refuses that, only this consumer fails.
    void restore(Current next) {
        restore(next, System.nanoTime(), FIRST_PAUSE_MILLIS);
    }

    private void restore(Current next, long sinceNanos, int pauseMillis) {
        Asked asked;
        lifeLock.lock();
        try {
            if (closed || !established || next.isLost()) {
                return;
            }
            session.connection().temporaries().requireKept(spec.destination(), next);
            asked = ask(next);
        } catch (TransportException e) {
            onRefused(next, e);
            return;
        } catch (JMSException e) {
            // It is being closed.
            return;
        } finally {
            lifeLock.unlock();
        }
        asked.subscription.whenAnswered(refused -> {
            if (refused == null) {
                onAccepted(asked);
            } else if (PASSING.contains(refused.code())
                    && System.nanoTime() - sinceNanos < PATIENCE_NANOS) {
                int next2 = Math.min(MAX_PAUSE_MILLIS, 2 * pauseMillis);
                next.wire()
                        .after(
                                1 + ThreadLocalRandom.current().nextInt(pauseMillis),
                                () -> restore(next, sinceNanos, next2));
            } else {
                onRefused(next, refused);
            }
        });
    }

    private void onRefused(Current next, TransportException reason) {
        if (next.isLost()) {
            return;
        }
        lifeLock.lock();
        try {
            if (closed || !established) {
                return;
            }
            established = false;
        } finally {
            lifeLock.unlock();
        }
        consumer.fail(notRestored(reason));
    }

    private TransportException notRestored(TransportException reason) {
        String text =
                "the consumer of '%s' has ended, because it could not be made again after the"
                                .formatted(spec.destination())
                        + " connection was lost: "
                        + reason.getMessage();
        return reason.local() == null
                ? new TransportException(reason.code(), text)
                : new TransportException(reason.local(), text);
    }

    /// Lets the broker send more to a consumer without a session.
    void grantConsumed() {
        WireSubscription granted = subscription;
        if (window.isGrantDue() && granted != null && !closed) {
            credit.grant(window.consumedMessages(), window.consumedBytes());
            window.onGranted();
        }
    }

    /// The broker may send another one instead of a message that has not been kept.
    void grantSkipped(int frameBytes) {
        WireSubscription granted = subscription;
        if (granted != null) {
            granted.grant(1, frameBytes);
        }
    }

    /// Closes this side.
    ///
    /// @param action done unless it was closed before
    /// @return the subscription that is left to end, null if there is none
    @Nullable WireSubscription close(Runnable action) {
        lifeLock.lock();
        try {
            if (closed) {
                return null;
            }
            closed = true;
            action.run();
            return subscription;
        } finally {
            lifeLock.unlock();
        }
    }
}
