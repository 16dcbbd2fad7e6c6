package winnow.client.link;

import jakarta.jms.JMSException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import winnow.client.destination.WinnowDestination;
import winnow.client.error.JmsErrors;
import winnow.client.message.WinnowMessage;
import winnow.client.transport.endpoint.TransportException;

/// One send whose thread waits for the broker's confirmation.
public final class SyncSend extends PendingSend {
    private final CountDownLatch answered = new CountDownLatch(1);
    private final long timeoutNanos;
    private @Nullable TransportException refused;

    /// @param timeoutNanos longest wait for credit, and then for the confirmation
    public SyncSend(WinnowMessage message, WinnowDestination target, long timeoutNanos) {
        super(message, target, timeoutNanos);
        this.timeoutNanos = timeoutNanos;
    }

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
    /// @throws JMSException if the message was refused, or the answer took too long: then it is not
    ///   known whether the message was published
    public void await(BrokerLink link) throws JMSException {
        long deadline = System.nanoTime() + timeoutNanos;
        link.wire().readAnswer(() -> answered.getCount() == 0, timeoutNanos);
        try {
            if (!answered.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                abandon();
                throw JmsErrors.timedOut(
                        "the broker did not confirm the message within " + waitText() + why(link));
            }
        } catch (InterruptedException e) {
            abandon();
            throw JmsErrors.interrupted("waiting for the confirmation of a send");
        }
        if (refused != null) {
            throw JmsErrors.of(refused);
        }
    }

    private String why(BrokerLink link) {
        if (link.now().isLost()) {
            return "; " + link.awayText();
        }
        String blocked = blockedReason();
        return blocked.isEmpty() ? "" : "; it says: " + blocked;
    }
}
