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
    /// @param maxNameId largest number that it uses for the name of a property; 0 if it uses none,
    ///   or the log knows them
    record Headers(
            boolean persistent,
            int priority,
            long expiration,
            long deliveryTime,
            Recipients recipients,
            int blockBytes,
            int maxNameId) {
        /// Reads them from a block that has been parsed.
        static Headers of(MessageBlock block, Recipients recipients, int maxNameId) {
            return new Headers(
                    block.persistent(),
                    block.priority(),
                    block.expiration(),
                    block.deliveryTime(),
                    recipients,
                    block.length(),
                    maxNameId);
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
