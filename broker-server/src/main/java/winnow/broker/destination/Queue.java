package winnow.broker.destination;

import java.util.function.Supplier;
import winnow.broker.metrics.BlockReason;
import winnow.broker.storage.StoredReference;
import winnow.wire.DestinationKind;

/// A queue as producers and consumers name it; its messages are the storage's. Its producers are
/// never blocked: their credit comes back when the storage has taken what they published.
/// Thread-safe.
public final class Queue implements Destination {
    private final String name;
    private final StoredReference stored;

    /// References from handles and consumers; guarded by the registry's map.
    public int references;

    public Queue(String name) {
        this.name = name;
        this.stored = new StoredReference(DestinationKind.QUEUE, name);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DestinationKind kind() {
        return DestinationKind.QUEUE;
    }

    /// The queue in the storage.
    @Override
    public StoredReference stored() {
        return stored;
    }

    @Override
    public boolean blocked() {
        return false;
    }

    @Override
    public BlockReason blockedBy() {
        return BlockReason.LOOP_LAG;
    }

    @Override
    public String blockReason() {
        return "";
    }

    @Override
    public void await(BlockedProducer producer) {
        producer.onUnblocked();
    }

    @Override
    public void forget(BlockedProducer producer) {
        // Nobody waits.
    }

    @Override
    public void onHeld(BlockedProducer producer, Supplier<HeldProducer> info) {
        // Only for a moment, while an event loop lags.
    }

    @Override
    public void onFreed(BlockedProducer producer) {
        // Nobody is held.
    }

    @Override
    public String toString() {
        return "queue '" + name + "'";
    }
}
