package winnow.broker.session;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.BlockedProducer;
import winnow.broker.destination.Destination;

/// Keeps a client from being read while a destination that it published to is blocked. Owned by the
/// connection's event loop.
final class BlockedReading {
    private final ReadingPauses pauses;
    private final BlockedProducer resume;
    private @Nullable Destination pausedBy;

    /// @param loop runs commands of the connection on its loop
    BlockedReading(ReadingPauses pauses, Executor loop) {
        this.pauses = pauses;
        this.resume = () -> loop.execute(this::resume);
    }

    void pause(ProducerHandle handle) {
        if (pausedBy == null) {
            handle.holdBack();
            pausedBy = handle.destination();
            pauses.begin(ReadingPauses.Reason.BLOCKED_DESTINATION);
            pausedBy.await(resume);
        }
    }

    /// Reads on, whatever is blocked.
    void end() {
        if (pausedBy != null) {
            pausedBy.forget(resume);
            resume();
        }
    }

    private void resume() {
        if (pausedBy != null) {
            pausedBy = null;
            pauses.end(ReadingPauses.Reason.BLOCKED_DESTINATION);
        }
    }

    /// The connection has gone.
    void close() {
        if (pausedBy != null) {
            pausedBy.forget(resume);
            pausedBy = null;
        }
    }
}
