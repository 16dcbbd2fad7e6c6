package winnow.broker.session;

import winnow.broker.config.ByteSize;

/// How much heap the subscriptions, selectors, producer handles, topics and client identifiers may
/// take that clients make.
///
/// @param total of all clients together; 0 means an eighth of the largest heap
/// @param user of all connections of one user together, if clients have credentials; 0 means three
///   quarters of the total
/// @param connection of one connection; 0 means half of the total
public record MetadataConfig(ByteSize total, ByteSize user, ByteSize connection) {
    public static final MetadataConfig DEFAULTS =
            new MetadataConfig(new ByteSize(0), new ByteSize(0), new ByteSize(0));

    private static final int HEAP_PART = 8;

    /// The limit in force for all clients together.
    public long effectiveTotalBytes() {
        return total.bytes() > 0 ? total.bytes() : Runtime.getRuntime().maxMemory() / HEAP_PART;
    }

    /// The limit in force for one user.
    public long effectiveUserBytes() {
        return user.bytes() > 0 ? user.bytes() : effectiveTotalBytes() / 4 * 3;
    }

    /// The limit in force for one connection.
    public long effectiveConnectionBytes() {
        return connection.bytes() > 0 ? connection.bytes() : effectiveTotalBytes() / 2;
    }
}
