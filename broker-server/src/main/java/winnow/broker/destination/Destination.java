package winnow.broker.destination;

import java.util.function.Supplier;
import winnow.broker.metrics.BlockReason;
import winnow.broker.storage.StoredReference;
import winnow.wire.DestinationKind;

/// Topic or queue to which producers publish, and whether they are held back. Thread-safe.
public sealed interface Destination permits Topic, Queue {
    String name();

    DestinationKind kind();

    /// Reference by which the storage knows it.
    StoredReference stored();

    /// True if producers get no credit at the moment.
    boolean blocked();

    /// Reason why producers are held back, if they are.
    BlockReason blockedBy();

    /// Which limit holds producers back, for people; empty if none does. The numbers in it may be
    /// of a moment ago.
    String blockReason();

    /// Calls `producer` once when the destination is not blocked, perhaps at once.
    void await(BlockedProducer producer);

    /// The producer has gone.
    void forget(BlockedProducer producer);

    /// A producer gets no credit until [#onFreed].
    ///
    /// @param info says who it is; called by any thread
    void onHeld(BlockedProducer producer, Supplier<HeldProducer> info);

    /// A producer gets credit again, or has gone.
    void onFreed(BlockedProducer producer);
}
