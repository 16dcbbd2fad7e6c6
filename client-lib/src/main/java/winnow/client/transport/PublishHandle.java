package winnow.client.transport;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DestinationKind;

/// A destination that is open for publishing on one connection, with its credit. Guarded by the
/// lock of the connection's [SendBuffer].
public final class PublishHandle {
    private final int number;
    private final DestinationKind kind;
    private final String name;

    /// Held while a message in parts is sent: one at a time.
    final ReentrantLock parts = new ReentrantLock();

    /// Messages in parts that have been begun, which the broker counts as well. Guarded by this
    /// object's lock.
    private long inParts;

    /// True if the last of them is being sent. Guarded by this object's lock.
    private boolean sendingParts;

    private volatile @Nullable TransportException partsRefused;

    /// True if a message was sent whose refusal nobody waits for, not even a transaction.
    private volatile boolean unconfirmed;

    /// Refusal of such a message by the broker, until the next one is sent.
    private volatile @Nullable TransportException refused;

    /// Bytes of frames that may still be sent; a frame may be begun while it is above 0. The broker
    /// grants the first when the handle is open.
    long credit;

    /// Reason that the broker gave for credit that does not come; null once it came.
    @Nullable String blockedReason;

    /// True if the log was told that a publish waits, and when it last was.
    boolean told;

    long toldNanos;

    PublishHandle(int number, DestinationKind kind, String name) {
        this.number = number;
        this.kind = kind;
        this.name = name;
    }

    /// The number that the broker knows it by.
    int number() {
        return number;
    }

    /// The first frame of a message in parts has been written.
    synchronized void beginParts() {
        inParts++;
        sendingParts = true;
        partsRefused = null;
    }

    /// The message in parts has ended: whether the broker refuses it is of no interest here.
    synchronized void endParts() {
        sendingParts = false;
        partsRefused = null;
    }

    /// The broker does not take a message in parts. Event loop.
    ///
    /// @param message its number among those of the handle
    synchronized void refuseParts(long message, TransportException reason) {
        if (sendingParts && inParts == message) {
            partsRefused = reason;
        }
    }

    /// Refusal of the message in parts that this thread is sending, null if the broker takes it, or
    /// the thread sends none.
    @Nullable TransportException partsRefused() {
        return parts.isHeldByCurrentThread() ? partsRefused : null;
    }

    /// A message is sent whose refusal nobody waits for.
    ///
    /// @throws TransportException if an earlier one was refused since the last call
    void onUnconfirmed() throws TransportException {
        TransportException reason = refused;
        unconfirmed = true;
        if (reason != null) {
            refused = null;
            throw new TransportException(
                    reason.code(),
                    "an earlier message to '"
                            + name
                            + "', which was sent without confirmation, was refused, and this one is"
                            + " not sent: "
                            + reason.getMessage());
        }
    }

    /// The broker has refused a message without confirmation: the next send says so. Event loop.
    void onRefused(TransportException reason) {
        if (unconfirmed) {
            refused = reason;
        }
    }

    /// Reason why a publish waits for the broker, for people.
    String whyWaiting() {
        String reason = blockedReason;
        if (reason != null) {
            return "the broker says: " + reason;
        }
        return credit <= 0
                ? "the broker gave no credit and no reason"
                : "the broker does not read from the connection";
    }

    /// The failure of a publish that has waited for so long.
    TransportException timedOut(long timeoutNanos) {
        return new TransportException(
                LocalFailure.SEND_BLOCKED,
                "could not send to %s within %d ms (sendTimeout): %s"
                        .formatted(
                                name, TimeUnit.NANOSECONDS.toMillis(timeoutNanos), whyWaiting()));
    }

    DestinationKind kind() {
        return kind;
    }

    /// Name of the destination.
    public String name() {
        return name;
    }
}
