package winnow.broker.session;

import java.time.Duration;
import winnow.broker.budget.MetadataConfig;
import winnow.broker.config.ByteSize;
import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;
import winnow.wire.Protocol;

/// Limits of one connection.
public record SessionConfig(
        @Setting(
                        value =
                                "longest silence on a connection, which ends after two of"
                                        + " them; a client may wish for a shorter one, 0s is"
                                        + " none",
                        min = "0s",
                        max = "60m",
                        reloadable = true)
                Duration heartbeat,
        @Setting(
                        value =
                                "how long a client may leave its socket full without"
                                        + " reading a byte of it before its connection is closed;"
                                        + " 0s is for ever",
                        min = "0s",
                        max = "60m",
                        reloadable = true)
                Duration unreadTimeout,
        @Setting(
                        value =
                                "bytes that a producer may send to one destination"
                                        + " before the broker has routed them",
                        min = "1KiB",
                        max = "1GiB",
                        reloadable = true)
                ByteSize producerWindow,
        @Setting(
                        value =
                                "destinations that one connection may have open for"
                                        + " publishing; also its temporary destinations",
                        unit = "destinations",
                        min = "1",
                        max = "" + Protocol.MAX_ID,
                        reloadable = true)
                int maxHandles,
        @Setting(
                        value = "subscriptions of one connection, and consumers of queues",
                        unit = "subscriptions",
                        min = "1",
                        max = "" + Protocol.MAX_ID,
                        reloadable = true)
                int maxSubscriptions,
        @Setting(
                        value =
                                "characters of the selectors and filters of one"
                                        + " connection's subscriptions together",
                        unit = "characters",
                        min = "0",
                        max = "1000000000",
                        reloadable = true)
                int maxSelectorCharacters,
        @Setting(
                        value =
                                "selectors that may wait to be parsed, of all"
                                        + " connections together",
                        unit = "selectors",
                        min = "1",
                        max = "1000000")
                int maxPendingSelectors,
        @Setting(
                        value = "sessions of one connection that acknowledge what they receive",
                        unit = "sessions",
                        min = "1",
                        max = "" + Protocol.MAX_ID,
                        reloadable = true)
                int maxSessions,
        @Setting(
                        value =
                                "heap that the messages of one transaction may take, with their"
                                        + " recipients; all transactions together may have an"
                                        + " eighth of the heap, and those of one user or address"
                                        + " all but an eighth of what others leave",
                        min = "1KiB",
                        reloadable = true)
                ByteSize maxTransactionBytes,
        @Setting(
                        value =
                                "how long a client whose connection was lost finds its client"
                                        + " identifier and its temporary destinations when it"
                                        + " comes back; 0s is not at all",
                        min = "0s",
                        max = "1440m",
                        reloadable = true)
                Duration resumeTimeout,
        @Setting(
                        value =
                                "clients that may be away at the same time; where there are more,"
                                        + " the user or address with the most loses the one that"
                                        + " went first",
                        unit = "clients",
                        min = "1",
                        max = "1000000",
                        reloadable = true)
                int maxAway,
        @Setting(
                        value =
                                "by how much a sender's clock may differ from the broker's; where"
                                        + " it is more, times to live and delays of its messages"
                                        + " count from their arrival, and the log says so once for"
                                        + " each connection",
                        min = "0s",
                        max = "1440m",
                        reloadable = true)
                Duration clockDifference,
        MetadataConfig metadata) {
    public static final SessionConfig DEFAULTS =
            new SessionConfig(
                    Duration.ofSeconds(15),
                    Duration.ofMinutes(5),
                    ByteSize.ofKibibytes(512),
                    1_000,
                    10_000,
                    2_000_000,
                    20_000,
                    1_000,
                    ByteSize.ofMebibytes(64),
                    Duration.ofSeconds(60),
                    10_000,
                    Duration.ofSeconds(10),
                    MetadataConfig.DEFAULTS);

    public SessionConfig {
        Ranges.check(
                SessionConfig.class,
                heartbeat,
                unreadTimeout,
                producerWindow,
                maxHandles,
                maxSubscriptions,
                maxSelectorCharacters,
                maxPendingSelectors,
                maxSessions,
                maxTransactionBytes,
                resumeTimeout,
                maxAway,
                clockDifference,
                metadata);
    }
}
