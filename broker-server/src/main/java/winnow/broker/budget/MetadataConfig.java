package winnow.broker.budget;

import winnow.broker.config.ByteSize;
import winnow.broker.config.Setting;

/// Limits of the heap for the subscriptions, selectors, producer handles, topics and client
/// identifiers that clients make.
public record MetadataConfig(
        @Setting(
                        value =
                                "heap that subscriptions, selectors, handles and names"
                                        + " of all clients take",
                        zero = "an eighth of the largest heap",
                        effective = "effectiveTotalBytes")
                ByteSize total,
        @Setting(
                        value =
                                "the part of `session.metadata.total` that all connections"
                                        + " of one user may take, or of one address if clients"
                                        + " have no credentials; and no more than all but an"
                                        + " eighth of what others leave",
                        zero = "three quarters of `session.metadata.total`",
                        effective = "effectiveUserBytes")
                ByteSize user,
        @Setting(
                        value = "the part of `session.metadata.total` that one connection may take",
                        zero = "half of `session.metadata.total`",
                        effective = "effectiveConnectionBytes")
                ByteSize connection) {
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
