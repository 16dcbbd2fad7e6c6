package winnow.broker.session;

import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.destination.HeldProducer;
import winnow.broker.fault.LogQuota;
import winnow.broker.metrics.BlockReason;
import winnow.wire.MessageBlock;

/// Lets the times to live and delays of a connection's messages count from their arrival, where the
/// clock of their sender differs from the one here by more than a bound. A message says by its
/// timestamp when it was sent; one without is taken to be of the same clock as the last that had
/// one. Owned by the connection's event loop.
final class SenderClock {
    private static final Logger LOG = LoggerFactory.getLogger(SenderClock.class);

    /// Clients may connect for each message.
    private static final LogQuota TOLD = new LogQuota();

    private final SessionContext context;
    private final ProducerIdentity sender;

    /// By how much the clock here is ahead.
    private long aheadMillis;

    private boolean told;

    /// @param sender says whose clock it is
    SenderClock(SessionContext context, ProducerIdentity sender) {
        this.context = context;
        this.sender = sender;
    }

    /// A message has come.
    void onMessage(MessageBlock block) {
        if (!block.has(MessageBlock.HAS_EXPIRATION) && !block.has(MessageBlock.HAS_DELIVERY_TIME)) {
            return;
        }
        if (block.has(MessageBlock.HAS_TIMESTAMP)) {
            aheadMillis = context.wallMillis().getAsLong() - block.timestamp();
        }
        if (Math.abs(aheadMillis) > context.config().clockDifference().toMillis()) {
            block.moveTimes(aheadMillis);
            tell();
        }
    }

    private void tell() {
        if (told) {
            return;
        }
        told = true;
        HeldProducer whose = sender.heldProducer(BlockReason.LOOP_LAG, Instant.EPOCH);
        TOLD.log(before ->
                LOG.warn(
                        "The clock of connection {} (client '{}', user '{}', at {}) is {} ms {}"
                                + " that of this broker, or a message was under way for so"
                                + " long; session.clock-difference is {} ms. Times to live and"
                                + " delays of its messages count from their arrival: set the"
                                + " clock that is wrong{}",
                        whose.connection(),
                        whose.client(),
                        whose.user(),
                        whose.address(),
                        Math.abs(aheadMillis),
                        aheadMillis > 0 ? "behind" : "ahead of",
                        context.config().clockDifference(),
                        before));
    }
}
