package winnow.broker.shard;

import winnow.wire.MessageBlock;

/// A message of a queue or of durable subscriptions, in memory. Owned by its shard.
final class StoredMessage {
    final StoredDestination destination;
    final long sequence;

    /// The message block; not to be changed.
    final byte[] block;

    final Headers headers;

    /// Whether the log has it, or will have it.
    boolean stored;

    /// Whether it can be read from the log.
    boolean readable;

    /// Subscriptions that have not acknowledged it.
    int references;

    /// What a shard needs to know of a message.
    ///
    /// @param persistent whether it must survive the broker
    /// @param priority 0 to 9
    /// @param expiration ms since 1970, 0 for never
    /// @param deliveryTime ms since 1970, before which nobody may get it
    /// @param recipients the subscriptions with a selector that it is for
    /// @param blockBytes length of its block
    record Headers(
            boolean persistent,
            int priority,
            long expiration,
            long deliveryTime,
            Recipients recipients,
            int blockBytes) {
        /// Reads them from a block that has been parsed.
        static Headers of(MessageBlock block, Recipients recipients) {
            return new Headers(
                    block.persistent(),
                    block.priority(),
                    block.expiration(),
                    block.deliveryTime(),
                    recipients,
                    block.length());
        }

        boolean expired(long nowMillis) {
            return expiration != 0 && expiration <= nowMillis;
        }
    }

    StoredMessage(StoredDestination destination, long sequence, byte[] block, Headers headers) {
        this.destination = destination;
        this.sequence = sequence;
        this.block = block;
        this.headers = headers;
    }

    @Override
    public String toString() {
        return destination + "/" + sequence;
    }
}
