package winnow.broker.session;

import org.jspecify.annotations.Nullable;
import winnow.broker.destination.Destination;
import winnow.broker.shard.HeapCost;

/// A message of a transaction that has not been committed. Immutable.
final class TransactedMessage {
    private final Destination destination;
    private final byte[] block;
    private final int maxNameId;
    private final @Nullable PartsPublish parts;

    /// @param block an own copy of the message block, which has been checked
    /// @param maxNameId largest number of a property name in it
    /// @param parts of its body, if that is not in the block
    TransactedMessage(
            Destination destination, byte[] block, int maxNameId, @Nullable PartsPublish parts) {
        this.parts = parts;
        this.destination = destination;
        this.block = block;
        this.maxNameId = maxNameId;
    }

    /// What is charged for a message, without its recipients.
    static long chargedBytes(int blockBytes) {
        return HeapCost.TRANSACTED + HeapCost.array(blockBytes);
    }

    Destination destination() {
        return destination;
    }

    /// The message block; not to be changed.
    byte[] block() {
        return block;
    }

    int maxNameId() {
        return maxNameId;
    }

    /// The parts of its body, null if the block has all of it.
    @Nullable PartsPublish parts() {
        return parts;
    }
}
