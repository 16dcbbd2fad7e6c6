package winnow.client;

import jakarta.jms.JMSException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import winnow.client.transport.Confirmation;
import winnow.client.transport.PublishHandle;
import winnow.client.transport.TransportException;
import winnow.client.transport.WireConnection;

/// One send whose thread waits for the broker's confirmation.
final class SyncSend implements Confirmation {
    private final CountDownLatch answered = new CountDownLatch(1);
    private @Nullable TransportException refused;

    @Override
    public boolean isAwaited() {
        return true;
    }

    @Override
    public void onPublished() {
        answered.countDown();
    }

    @Override
    public void onRefused(TransportException reason) {
        refused = reason;
        answered.countDown();
    }

    /// Waits for the answer.
    ///
    /// @param wire the connection that it was sent on
    /// @param to the destination
    /// @throws JMSException if the message was refused, or the answer took too long: then it is not
    ///   known whether the message was published
    void await(WireConnection wire, PublishHandle to, long timeoutNanos) throws JMSException {
        long deadline = System.nanoTime() + timeoutNanos;
        wire.readAnswer(() -> answered.getCount() == 0, timeoutNanos);
        try {
            if (!answered.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                String blocked = wire.blockedReason(to);
                throw JmsErrors.timedOut(
                        "the broker did not confirm the message within %d ms (sendTimeout)%s"
                                .formatted(
                                        TimeUnit.NANOSECONDS.toMillis(timeoutNanos),
                                        blocked.isEmpty() ? "" : "; it says: " + blocked));
            }
        } catch (InterruptedException e) {
            throw JmsErrors.interrupted("waiting for the confirmation of a send");
        }
        if (refused != null) {
            throw JmsErrors.of(refused);
        }
    }
}
