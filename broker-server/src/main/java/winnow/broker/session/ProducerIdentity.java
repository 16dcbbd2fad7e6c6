package winnow.broker.session;

import java.time.Instant;
import winnow.broker.destination.Destination;
import winnow.broker.destination.HeldProducer;
import winnow.broker.metrics.BlockReason;

/// Says whose the producers of a connection are, and what their user may know. Thread-safe once a
/// destination is open.
@FunctionalInterface
interface ProducerIdentity {
    /// One of these, which is held back, for people.
    HeldProducer heldProducer(BlockReason limit, Instant since);

    /// True if the user may know which consumers hold producers of a destination back. Event loop.
    default boolean sees(Destination destination) {
        return true;
    }

    /// True if users may know everything.
    default boolean seesAll() {
        return true;
    }
}
