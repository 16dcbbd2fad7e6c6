package winnow.broker.session;

import java.time.Duration;
import winnow.broker.config.ByteSize;

/// Limits of one connection.
///
/// @param heartbeat longest silence on a connection, up to 60m; a client may wish for a shorter
///   one; 0s for none
/// @param unreadTimeout how long a client may leave its socket full without reading a byte of it,
///   up to 60m, before its connection is closed; 0s for ever
/// @param producerWindow bytes that a producer may send to one destination before the broker has
///   routed them
/// @param maxHandles destinations that one connection may have open for publishing
/// @param maxSubscriptions subscriptions of one connection
/// @param maxSelectorCharacters characters of the selectors and filters of one connection's
///   subscriptions together
/// @param maxPendingSelectors selectors that may wait to be parsed, of all connections together
/// @param metadata heap of what clients register
public record SessionConfig(
        Duration heartbeat,
        Duration unreadTimeout,
        ByteSize producerWindow,
        int maxHandles,
        int maxSubscriptions,
        int maxSelectorCharacters,
        int maxPendingSelectors,
        MetadataConfig metadata) {
    private static final Duration MAX_TIME = Duration.ofMinutes(60);

    public static final SessionConfig DEFAULTS =
            new SessionConfig(
                    Duration.ofSeconds(15),
                    Duration.ofMinutes(5),
                    ByteSize.ofKibibytes(512),
                    1_000,
                    10_000,
                    2_000_000,
                    20_000,
                    MetadataConfig.DEFAULTS);

    public SessionConfig {
        require("producer-window", producerWindow.bytes(), 1024, 1L << 30);
        require("max-handles", maxHandles, 1, winnow.wire.Protocol.MAX_ID);
        require("max-subscriptions", maxSubscriptions, 1, winnow.wire.Protocol.MAX_ID);
        require("max-selector-characters", maxSelectorCharacters, 0, 1_000_000_000);
        require("max-pending-selectors", maxPendingSelectors, 1, 1_000_000);
        require("heartbeat", heartbeat);
        require("unread-timeout", unreadTimeout);
    }

    private static void require(String key, Duration value) {
        if (value.isNegative() || value.compareTo(MAX_TIME) > 0) {
            throw new IllegalArgumentException(
                    key + ": expected 0s to 60m, found " + value.toSeconds() + "s");
        }
    }

    private static void require(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    key + ": expected " + min + " to " + max + ", found " + value);
        }
    }
}
