package winnow.client.link;

import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowDestination;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.PublishHandle;
import winnow.client.transport.PublishReply;
import winnow.client.transport.PublishTerms;
import winnow.client.transport.WireConnection;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;

/// One send that the broker confirms. If its connection is lost before, it is sent again on the
/// next one with the number that it had; until the outcome is known, the message must not change.
public abstract class PendingSend implements PublishReply {
    private final WinnowMessage message;
    private final WinnowDestination target;

    /// The broker knows for a day which publishes it has taken.
    private static final long KNOWN_NANOS = TimeUnit.HOURS.toNanos(23);

    private final long timeoutNanos;
    private final long begunNanos = System.nanoTime();

    /// Tells whether the message was sent once more in the meantime.
    private final long sequence;

    private volatile int transaction;
    private volatile @Nullable WireConnection wire;
    private volatile @Nullable PublishHandle handle;
    private volatile boolean abandoned;

    /// @param timeoutNanos longest wait for credit
    public PendingSend(WinnowMessage message, WinnowDestination target, long timeoutNanos) {
        this.message = message;
        this.target = target;
        this.timeoutNanos = timeoutNanos;
        sequence = message.idSequence();
    }

    /// It is about to be sent.
    ///
    /// @param session number of the session whose transaction it belongs to, 0 for none
    public void onSend(WireConnection on, PublishHandle to, int session) {
        wire = on;
        handle = to;
        transaction = session;
    }

    /// For whom the broker holds it back, empty if it does not.
    String blockedReason() {
        WireConnection on = wire;
        PublishHandle to = handle;
        return on == null || to == null ? "" : on.blockedReason(to);
    }

    /// Nobody wants to know the outcome any more.
    public void abandon() {
        abandoned = true;
    }

    /// Tells if it may be sent again. A transaction ends with its connection.
    boolean isResendable() {
        return transaction == 0 && !abandoned;
    }

    /// Sends it again, unless its outcome is of no interest any more.
    ///
    /// @param number that it had among the confirmed ones
    /// @return false if the connection is lost before it was sent
    boolean sendAgain(Current now, long number) {
        if (abandoned) {
            return true;
        }
        try {
            requireUnchanged();
            if (System.nanoTime() - begunNanos > KNOWN_NANOS) {
                throw inDoubt("that was more than 23 hours ago, and the broker may have forgotten");
            }
            WireConnection before = wire;
            if (before == null || !now.wire().remembers(before)) {
                throw inDoubt("the broker has another store, or cannot tell");
            }
            publish(now, number);
            return true;
        } catch (TransportException e) {
            if (now.isLost()) {
                return false;
            }
            onRefused(e.code() == ErrorCode.IN_DOUBT ? e : inDoubt(String.valueOf(e.getMessage())));
        } catch (JMSException | RuntimeException e) {
            onRefused(inDoubt("the message cannot be written any more: " + e.getMessage()));
        }
        return true;
    }

    @Override
    public void requireUnchanged() throws TransportException {
        if (abandoned) {
            throw inDoubt("nobody waits for it any more");
        }
        if (sequence != message.idSequence()) {
            throw inDoubt("the message was sent once more before this send was confirmed");
        }
    }

    private void publish(Current now, long number) throws TransportException, JMSException {
        PublishHandle to = now.destinations().acquire(target);
        try {
            now.wire().publish(to, message, new PublishTerms(0, this, number), timeoutNanos);
            onSend(now.wire(), to, 0);
        } finally {
            now.destinations().release(target);
        }
    }

    /// The outcome cannot be known.
    static TransportException inDoubt(String why) {
        return new TransportException(
                ErrorCode.IN_DOUBT,
                "the connection was lost before the message was confirmed, and it is not known"
                        + " whether it was published: "
                        + why);
    }

    /// Limit of a wait for the outcome, for people.
    String waitText() {
        return TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms (sendTimeout)";
    }
}
