package winnow.broker.session;

import winnow.broker.destination.LongMatch;
import winnow.broker.destination.SlicedWork;

/// A message of a connection whose recipients are not all found yet. No other message of the
/// connection is routed meanwhile, and it is not confirmed. Owned by the connection's event loop.
final class LongPublish implements PendingPublish, SlicedWork.Work {
    final ProducerHandle handle;
    final int flags;
    final int frameBytes;
    final LongMatch match;
    private final Producers producers;
    private final long number;
    private boolean done;

    /// @param number among the messages that are to be confirmed, 0 if it is not
    /// @param frameBytes what comes back as the producer's credit
    LongPublish(
            Producers producers,
            ProducerHandle handle,
            int flags,
            long number,
            int frameBytes,
            LongMatch match) {
        this.producers = producers;
        this.handle = handle;
        this.flags = flags;
        this.number = number;
        this.frameBytes = frameBytes;
        this.match = match;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public boolean done() {
        return done;
    }

    @Override
    public boolean step() {
        try {
            if (!done && match.step()) {
                return true;
            }
            if (!done) {
                done = true;
                producers.onMatched(this);
            }
        } catch (Throwable fault) {
            done = true;
            producers.onFault(fault);
        }
        return false;
    }

    /// Its connection has gone.
    void abandon() {
        done = true;
        match.abandon();
    }
}
