package winnow.client.link;

import jakarta.jms.JMSException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.error.JmsErrors;
import winnow.client.transport.WireSession;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DeliveryRanges;

/// Counterpart of one session at the broker: none until the session consumes stored messages or
/// publishes in a transaction. Thread-safe.
public final class BrokerSession {
    private final boolean transacted;

    /// Guards that nothing is said about a session that has ended.
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable WireSession session;
    private boolean ended;

    public BrokerSession(boolean transacted) {
        this.transacted = transacted;
    }

    /// The session at the broker, begun if it is not on that connection, or if the broker has
    /// refused that before. Does not wait.
    ///
    /// @throws JMSException if it has ended
    /// @throws TransportException if the broker offers none, or the connection is lost: then the
    ///   session may be on the next one already, with its consumers
    public WireSession open(Current now) throws JMSException, TransportException {
        WireSession known = session;
        if (known != null && known.isOn(now.wire()) && !known.isRefused()) {
            return known;
        }
        lock.lock();
        try {
            if (ended) {
                throw JmsErrors.closed("session");
            }
            if (now.isLost()) {
                throw new TransportException(
                        LocalFailure.CONNECTION_LOST, "the connection to the broker was lost");
            }
            if (known != null && !known.equals(session)) {
                return open(now);
            }
            WireSession begun = now.wire().beginSession(transacted);
            if (known != null) {
                var unused = known.end(DeliveryRanges.NONE);
            }
            session = begun;
            return begun;
        } finally {
            lock.unlock();
        }
    }

    /// The session at the broker, null if it was not begun.
    public @Nullable WireSession known() {
        return session;
    }

    /// True if the broker has taken a delivery back.
    public boolean isVoid(long delivery) {
        WireSession known = session;
        return known != null && known.isVoid(delivery);
    }

    /// The connection is gone, and what was sent ahead goes to other consumers.
    public void onLost() {
        WireSession known = session;
        if (known != null) {
            known.onLost();
        }
    }

    /// Tells that the application is about to get a message. Returns when the socket has that.
    public void markSeen(long delivery) {
        WireSession known = session;
        if (known != null) {
            known.markSeen(delivery);
        }
    }

    /// Ends a delivery that has expired before the application could get it, unless the session has
    /// ended.
    public void markExpired(long delivery) {
        lock.lock();
        try {
            WireSession known = session;
            if (known != null && !ended) {
                known.markExpired(delivery);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Acknowledges a delivery with what is written next, unless the session has ended.
    public void acknowledgeSoon(long delivery) {
        lock.lock();
        try {
            WireSession known = session;
            if (known != null && !ended) {
                known.acknowledgeSoon(delivery);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ends the session at the broker, without waiting.
    ///
    /// @param seen what the application has received and not acknowledged
    /// @return the answer, null if there is nothing to end
    public @Nullable CompletableFuture<@Nullable Void> end(DeliveryRanges seen) {
        lock.lock();
        try {
            WireSession known = session;
            if (ended || known == null) {
                ended = true;
                return null;
            }
            ended = true;
            return known.end(seen);
        } finally {
            lock.unlock();
        }
    }
}
