package winnow.client.link;

import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.error.ErrorCodes;
import winnow.client.error.JmsErrors;
import winnow.client.transport.ConnectionEvents;
import winnow.client.transport.UnansweredPublish;
import winnow.client.transport.WireConnection;
import winnow.client.transport.connect.ConnectRounds;
import winnow.client.transport.endpoint.ConnectionTarget;
import winnow.client.transport.endpoint.Continuity;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;

/// The way of a JMS connection to its broker. It stays the same object for sessions, producers and
/// consumers while the connection below it is replaced by another one: by [#replace], or after a
/// loss by [Reconnection]. Thread-safe.
///
/// It is connected; or broken, while the client tries to come back; or ended, when it has given up
/// or is closed. Threads of the application wait while it is broken, no longer than their
/// time-outs.
public final class BrokerLink {
    private final LinkOwner owner;
    private final ReturnTerms terms;
    private final ShortConnections shortConnections = new ShortConnections();
    private final ReentrantLock lock = new ReentrantLock();

    /// Guarded by the lock, as is all that follows; what is volatile is read without it.
    private final Condition changed = lock.newCondition();

    private ConnectionTarget target;
    private volatile Current current;

    /// True while new messages may be sent: connected, and all is sent again that has to be.
    private volatile boolean sendable;

    /// Null while it is connected.
    private volatile @Nullable Loss loss;

    private volatile @Nullable Reconnection reconnecting;
    private volatile @Nullable TransportException ended;
    private boolean closed;

    /// Connections that were lost while another one was in use, as long as anybody has them.
    private final Set<WireConnection> lostEarly = Collections.newSetFromMap(new WeakHashMap<>());

    /// Confirmed publishes that were not answered when their connection was lost, by their numbers.
    /// Bounded by the producer credit of the connections that they were sent on.
    private final TreeMap<Long, PendingSend> unanswered = new TreeMap<>();

    /// Connects.
    ///
    /// @throws TransportException if the broker cannot be reached in time or refuses
    public BrokerLink(ConnectionTarget target, ReturnTerms terms, LinkOwner owner)
            throws TransportException {
        this.target = target;
        this.terms = terms;
        this.owner = owner;
        current = Current.of(new ConnectRounds(target, new Events()).connect(), 1);
        sendable = true;
        if (isLostEarly(current.wire())) {
            onLost(current.wire(), lostCause(current.wire()), List.of());
        }
    }

    private static TransportException lostCause(WireConnection wire) {
        TransportException cause = wire.endedBy();
        return cause == null
                ? new TransportException(LocalFailure.CONNECTION_CLOSED, "the connection is closed")
                : cause;
    }

    private boolean isLostEarly(WireConnection wire) {
        lock.lock();
        try {
            return lostEarly.contains(wire);
        } finally {
            lock.unlock();
        }
    }

    /// Connects once more, and lets go of the connection of before. If that fails, nothing changes.
    /// It is not tried again: a broker was there a moment ago, and who waits holds a lock.
    ///
    /// @param closeTimeoutMillis longest wait for the broker to close the one of before
    /// @throws TransportException if the broker cannot be reached in time or refuses
    /// @throws JMSException if there is none for too long
    public void replace(ConnectionTarget next, long closeTimeoutMillis)
            throws TransportException, JMSException {
        Current before = connected();
        WireConnection made = new ConnectRounds(next.once(), new Events()).connect();
        boolean replaced;
        lock.lock();
        try {
            replaced = !closed && before.equals(current) && !before.isLost();
            if (replaced) {
                target = next;
                current = Current.of(made, before.epoch() + 1);
            }
        } finally {
            lock.unlock();
        }
        if (!replaced) {
            made.close(closeTimeoutMillis);
            throw new TransportException(
                    LocalFailure.CONNECTION_LOST, "the connection was lost meanwhile: try again");
        }
        before.wire().close(closeTimeoutMillis);
        if (isLostEarly(made)) {
            onLost(made, lostCause(made), List.of());
        }
    }

    /// The connection of now, which may be lost. Who needs it again later asks again.
    public WireConnection wire() {
        return current.wire();
    }

    /// The connection of now, which may be lost.
    public Current now() {
        return current;
    }

    /// Everything that goes on over the connections.
    public Continuity continuity() {
        return target().login().continuity();
    }

    ConnectionTarget target() {
        lock.lock();
        try {
            return target;
        } finally {
            lock.unlock();
        }
    }

    /// The connection of now; if it is lost, the next one, as soon as requests can be sent on it.
    ///
    /// @throws JMSException if there is none within `requestTimeout`
    public Current connected() throws JMSException {
        return connected(deadline());
    }

    /// Time after which a request that begins now has waited too long, as [System#nanoTime].
    long deadline() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(terms.requestTimeoutMillis());
    }

    private Current connected(long deadline) throws JMSException {
        Current now = current;
        return now.isLost()
                ? await(false, deadline, "requestTimeout", terms.requestTimeoutMillis())
                : now;
    }

    /// The connection of now; if it is lost, the next one, as soon as new messages can be sent on
    /// it.
    ///
    /// @throws JMSException if there is none within `sendTimeout`
    public Current sendable(long deadline) throws JMSException {
        Current now = current;
        return sendable && !now.isLost()
                ? now
                : await(true, deadline, "sendTimeout", terms.sendTimeoutMillis());
    }

    private Current await(boolean forSend, long deadline, String option, int millis)
            throws JMSException {
        lock.lock();
        try {
            while (true) {
                requireNotEnded();
                Current now = current;
                if (!now.isLost() && (sendable || !forSend)) {
                    return now;
                }
                long rest = deadline - System.nanoTime();
                if (rest <= 0) {
                    String text = "%s; waited %d ms (%s)".formatted(awayText(), millis, option);
                    throw new JMSException(text, ErrorCodes.CONNECTION_LOST);
                }
                long unused = changed.awaitNanos(rest);
            }
        } catch (InterruptedException e) {
            throw JmsErrors.interrupted("waiting for the connection to the broker");
        } finally {
            lock.unlock();
        }
    }

    /// That the broker is away, since when, why, and what was tried, for people.
    String awayText() {
        Loss known = loss;
        Reconnection trying = reconnecting;
        if (known == null) {
            return "messages of before are being sent again";
        }
        String tried = trying == null ? "" : trying.tried();
        return known.text() + (tried.isEmpty() ? "" : "; " + tried);
    }

    /// Something that is asked of the broker, once more if the connection is lost meanwhile.
    public interface Attempt<T extends @Nullable Object> {
        T on(Current now) throws TransportException, JMSException;
    }

    /// Asks something of the broker, and asks again on the next connection if one is lost.
    ///
    /// @throws JMSException if the broker refuses, or there is no connection for too long
    public <T extends @Nullable Object> T call(Attempt<T> attempt) throws JMSException {
        long deadline = deadline();
        while (true) {
            Current now = connected(deadline);
            try {
                return attempt.on(now);
            } catch (TransportException e) {
                if (!now.isLost()) {
                    throw JmsErrors.of(e);
                }
            }
        }
    }

    /// Tells if there is no connection for good.
    public boolean isEnded() {
        return ended != null;
    }

    /// @throws JMSException with the reason if there is no connection for good
    public void requireNotEnded() throws JMSException {
        TransportException cause = ended;
        if (cause != null) {
            throw JmsErrors.of(cause);
        }
    }

    /// @throws JMSException if the broker has no queues, sessions and named subscriptions
    public void requireStored() throws JMSException {
        try {
            current.wire().requireStored();
        } catch (TransportException e) {
            throw JmsErrors.of(e);
        }
    }

    /// Ends it, and what waits for it.
    ///
    /// @param timeoutMillis longest wait for the broker to handle what was sent
    public void close(long timeoutMillis) {
        List<PendingSend> left;
        TransportException reason =
                new TransportException(LocalFailure.CONNECTION_CLOSED, "the connection is closed");
        Reconnection running;
        lock.lock();
        try {
            closed = true;
            running = reconnecting;
            if (ended == null) {
                ended = reason;
            }
            left = takeUnanswered();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(send -> send.onRefused(reason));
        if (running != null) {
            running.stop();
        }
        current.wire().close(timeoutMillis);
    }

    private List<PendingSend> takeUnanswered() {
        List<PendingSend> taken = new ArrayList<>(unanswered.values());
        unanswered.clear();
        return taken;
    }

    /// News of one of the connections.
    final class Events implements ConnectionEvents {
        @Override
        public void onLost(
                WireConnection lost, TransportException cause, List<UnansweredPublish> publishes) {
            BrokerLink.this.onLost(lost, cause, publishes);
        }

        @Override
        public void onRefused(String destination, TransportException reason) {
            owner.onRefused(destination, reason);
        }
    }

    /// Events for a connection that is made after a loss.
    ConnectionEvents events() {
        return new Events();
    }

    private void onLost(
            WireConnection lost, TransportException cause, List<UnansweredPublish> publishes) {
        List<UnansweredPublish> refused = new ArrayList<>(publishes);
        List<PendingSend> left = List.of();
        boolean begins = false;
        boolean ends = false;
        Loss now = null;
        lock.lock();
        try {
            // During construction there is none.
            @Nullable Current known = current;
            if (known == null || !lost.equals(known.wire())) {
                lostEarly.add(lost);
            } else if (closed || !terms.comesBackAfter(cause)) {
                ends = !closed && ended == null;
                ended = ended == null ? cause : ended;
                left = takeUnanswered();
            } else if (ended == null) {
                now = new Loss(known, cause, System.nanoTime());
                shortConnections.onLost(now.sinceNanos());
                sendable = false;
                refused.removeIf(this::keep);
                begins = true;
            }
        } finally {
            lock.unlock();
        }
        if (now != null && begins) {
            begin(now);
        }
        if (ends) {
            owner.onEnded(cause);
            signalAll();
        }
        left.forEach(send -> send.onRefused(cause));
        refused.forEach(publish -> publish.confirmation().onRefused(cause));
    }

    /// Keeps a publish that can be sent again.
    private boolean keep(UnansweredPublish publish) {
        if (publish.confirmation() instanceof PendingSend send && send.isResendable()) {
            unanswered.put(publish.number(), send);
            return true;
        }
        return false;
    }

    private void begin(Loss now) {
        owner.onInterrupted(now);
        Reconnection started = null;
        lock.lock();
        try {
            loss = now;
            if (reconnecting == null && !closed) {
                started = new Reconnection(this, terms, owner);
                reconnecting = started;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (started != null) {
            started.start();
        }
    }

    private void signalAll() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until it is known why the connection of now is lost.
    ///
    /// @return null if it is not lost any more or has ended: then who asks is done
    @Nullable Loss awaitLoss() throws InterruptedException {
        lock.lock();
        try {
            while (ended == null && current.isLost()) {
                Loss known = loss;
                if (known != null && known.lost().equals(current)) {
                    return known;
                }
                changed.await();
            }
            reconnecting = null;
            if (ended == null) {
                loss = null;
                sendable = true;
            }
            changed.signalAll();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /// Uses a connection that was made after a loss, for requests; new messages still wait.
    ///
    /// @param gap how long there was none
    /// @return false if that is not to be used
    boolean use(Current next, Duration gap) {
        lock.lock();
        try {
            if (ended != null || lostEarly.contains(next.wire())) {
                shortConnections.onUnused();
                return false;
            }
            current = next;
            shortConnections.onUsed(System.nanoTime());
            // Before the loss of this one can be told.
            owner.onResumed(next, gap);
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Connections after a loss that were lost soon.
    ShortConnections shortConnections() {
        return shortConnections;
    }

    /// Sends again what was not answered, in the order of the numbers.
    void sendAgain(Current now) {
        var next = pollUnanswered();
        while (next != null && next.getValue().sendAgain(now, next.getKey())) {
            next = pollUnanswered();
        }
        if (next != null) {
            putBack(next.getKey(), next.getValue());
        }
    }

    private Map.@Nullable Entry<Long, PendingSend> pollUnanswered() {
        lock.lock();
        try {
            return unanswered.pollFirstEntry();
        } finally {
            lock.unlock();
        }
    }

    private void putBack(long number, PendingSend send) {
        TransportException reason;
        lock.lock();
        try {
            reason = ended;
            if (reason == null) {
                unanswered.put(number, send);
            }
        } finally {
            lock.unlock();
        }
        if (reason != null) {
            send.onRefused(reason);
        }
    }

    /// The client does not come back.
    void giveUp(TransportException cause) {
        List<PendingSend> left;
        boolean ends;
        lock.lock();
        try {
            reconnecting = null;
            ends = ended == null;
            ended = ended == null ? cause : ended;
            left = takeUnanswered();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(send -> send.onRefused(cause));
        if (ends) {
            owner.onEnded(cause);
        }
    }
}
