package winnow.client.session;

import jakarta.jms.JMSException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.error.JmsErrors;
import winnow.client.message.WinnowMessage;
import winnow.client.receive.ConsumerBuffer;
import winnow.client.receive.StoredCredit;
import winnow.client.transport.WireSession;
import winnow.client.transport.WireSubscription;
import winnow.client.transport.endpoint.TransportException;

/// Messages that the broker sends ahead to one consumer of a queue or a stored subscription: says
/// when it may send them, when they go back, and when the consumer asks for what others were sent.
/// Thread-safe.
final class SentAhead {
    private final WinnowConsumer consumer;
    private final WinnowSession session;
    private final ConsumerBuffer inbox;
    private final StoredCredit credit;
    private final ListenerWatch watch;

    /// Of the thread that looks at listeners.
    private boolean told;

    /// Held from when it is looked whether a message may be used until the acknowledgement mode
    /// knows of it, and again while a listener's message is acknowledged: so what goes back is
    /// either named as seen or acknowledged before. Outermost.
    private final ReentrantLock handing = new ReentrantLock();

    SentAhead(
            WinnowConsumer consumer,
            WinnowSession session,
            ConsumerBuffer inbox,
            StoredCredit credit) {
        this.consumer = consumer;
        this.session = session;
        this.inbox = inbox;
        this.credit = credit;
        watch =
                new ListenerWatch(
                        new Waiter(),
                        (millis, task) -> session.connection().link().wire().after(millis, task));
    }

    /// State that is looked at from time to time.
    private final class Waiter implements ListenerWatch.Waiter {
        @Override
        public boolean isListening() {
            return consumer.hasListener() && !consumer.isClosed() && inbox.isStarted();
        }

        @Override
        public boolean isBusy() {
            return session.dispatch().isBusy() || inbox.hasArrived();
        }

        @Override
        public void ask() {
            credit.ask();
            tellLimit();
        }
    }

    /// The connection is lost, and with it all credit and what asks for more.
    void forget() {
        credit.forget();
        watch.forget();
    }

    StoredCredit credit() {
        return credit;
    }

    /// Nothing of a live consumer goes back, so it needs no lock.
    void lockHanding() {
        if (consumer.isStored()) {
            handing.lock();
        }
    }

    void unlockHanding() {
        if (consumer.isStored()) {
            handing.unlock();
        }
    }

    /// A listener is about to get a message. [Locked][#lockHanding].
    void onHanded(WinnowMessage message) {
        if (consumer.isStored()) {
            watch.onMessage();
            credit.onHanded(message.frameBytes());
        }
    }

    /// The listener is done with it, or it goes back to the broker.
    void onReturned() {
        if (consumer.isStored()) {
            credit.onReturned();
        }
    }

    /// The broker has accepted the consumer.
    void onAccepted(WireSession ofSession, WireSubscription accepted) {
        if (credit.onAccepted(ofSession, accepted)) {
            onRecall();
        }
        onWanted();
    }

    /// The application may want messages now: the broker may send them, if the session is started.
    void onWanted() {
        if (consumer.isStored() && inbox.isStarted()) {
            credit.open();
            watch.begin();
        }
    }

    /// Another consumer waits. By who reads the socket.
    void onRecall() {
        var unused = session.connection().callbackThreads().run(this::giveBack, this::onRecall);
    }

    /// Gives back what the application has not seen. If it wants messages itself, it gets its part
    /// of them again.
    private void giveBack() {
        CompletableFuture<@Nullable Void> given;
        handing.lock();
        try {
            session.work().acknowledgeLate();
            given = credit.giveBack(() -> session.unacknowledged(consumer), inbox::discardArrived);
        } finally {
            handing.unlock();
        }
        if (given != null) {
            given.whenComplete((none, failure) -> {
                credit.onGaveBack();
                if (consumer.wants()) {
                    onWanted();
                }
            });
        }
    }

    /// Tells the exception listener once that a message listener waits for its own session.
    private void tellLimit() {
        TransportException limit = credit.limit();
        if (limit == null) {
            told = false;
        } else if (!told && !session.work().unacknowledged().isEmpty()) {
            told = true;
            session.connection().tell(JmsErrors.of(limit));
        }
    }

    /// Asks for what other consumers were sent ahead.
    void ask() {
        if (consumer.isStored()) {
            credit.ask();
        }
    }

    /// @throws JMSException if nothing can come before the session acknowledges
    void requireRoom() throws JMSException {
        TransportException limit = credit.limit();
        if (limit != null && !session.work().unacknowledged().isEmpty()) {
            throw JmsErrors.of(limit);
        }
    }
}
