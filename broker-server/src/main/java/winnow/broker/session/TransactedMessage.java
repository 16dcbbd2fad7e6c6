package winnow.broker.session;

import org.jspecify.annotations.Nullable;
import winnow.broker.destination.Destination;
import winnow.broker.shard.HeapCost;
import winnow.wire.MessageBlock;

/// A message of a transaction that has not been committed. Immutable.
final class TransactedMessage {
    private final Destination destination;
    private final byte[] block;
    private final int maxNameId;
    private final @Nullable PartsPublish parts;
    private final long expiresEarlierMillis;

    /// @param block an own copy of the message block, which has been checked
    /// @param maxNameId largest number of a property name in it
    /// @param parts of its body, if that is not in the block
    /// @param expiresEarlierMillis see [MessageBlock#expiresEarlierMillis()]
    TransactedMessage(
            Destination destination,
            byte[] block,
            int maxNameId,
            @Nullable PartsPublish parts,
            long expiresEarlierMillis) {
        this.parts = parts;
        this.expiresEarlierMillis = expiresEarlierMillis;
        this.destination = destination;
        this.block = block;
        this.maxNameId = maxNameId;
    }

    /// Bytes that are charged for a message, without its recipients.
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

    /// Makes a view stand at it.
    void view(MessageBlock view) {
        view.parseFields(block, 0, block.length);
        view.expiresEarlierMillis(expiresEarlierMillis);
    }

    int maxNameId() {
        return maxNameId;
    }

    /// The parts of its body, null if the block has all of it.
    @Nullable PartsPublish parts() {
        return parts;
    }
}
