package winnow.broker.shard;

import org.jspecify.annotations.Nullable;

/// A message of a queue or of durable subscriptions, in memory. Owned by its shard.
final class StoredMessage {
    final StoredDestination destination;
    final long sequence;

    /// The message block, up to the body if that is in parts; not to be changed.
    final byte[] block;

    final MessageHeaders headers;

    /// Its body, if that is in parts.
    final @Nullable LargeBody body;

    /// Largest number that it may use for the name of a property.
    int maxNameId;

    /// True if the log has it, or will have it.
    boolean stored;

    /// True if it can be read from the log.
    boolean readable;

    /// Its neighbours in the [MessageWindow].
    @Nullable StoredMessage older;

    @Nullable StoredMessage newer;

    /// Subscriptions that have not acknowledged it.
    int references;

    /// Owner whose share its memory and its delay take, null if nobody knows.
    @Nullable MessageOwner owner;

    StoredMessage(
            StoredDestination destination,
            long sequence,
            byte[] block,
            MessageHeaders headers,
            @Nullable LargeBody body) {
        this.destination = destination;
        this.sequence = sequence;
        this.block = block;
        this.headers = headers;
        this.body = body;
        this.maxNameId = headers.maxNameId();
    }

    /// Name of the owner, empty if nobody knows.
    String ownerName() {
        MessageOwner its = owner;
        return its == null ? "" : its.name();
    }

    /// Heap that it takes, without its place in its destination's map.
    long heapBytes() {
        return HeapCost.MESSAGE
                + HeapCost.array(block.length)
                + headers.recipients().heapBytes()
                + (body == null ? 0 : LargeBody.HEAP_BYTES);
    }

    /// Bytes of the message, with a body in parts.
    int bytes() {
        return LargeBody.bytes(block, body);
    }

    @Override
    public String toString() {
        return destination + "/" + sequence;
    }
}
