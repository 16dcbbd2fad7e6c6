package winnow.broker.storage;

import java.time.Duration;
import winnow.broker.config.ByteSize;
import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;
import winnow.broker.shard.Backlog;
import winnow.broker.shard.HeapCost;
import winnow.broker.shard.Policies;
import winnow.broker.shard.Policy;
import winnow.broker.shard.Redelivery;
import winnow.broker.shard.ShardConfig;

/// Settings of queues and stored subscriptions: how much may wait in them, what becomes of messages
/// that cannot be processed or live too long, and how many a consumer may have.
public record QueueConfig(
        @Setting(
                        value =
                                "messages that may wait in a queue, or in a durable or shared"
                                        + " subscription, those with consumers included",
                        unit = "messages",
                        min = "1",
                        max = "1000000000",
                        zero = "no limit",
                        reloadable = true)
                int maxMessages,
        @Setting(
                        value = "bytes of the messages that `queue.max-messages` counts",
                        min = "1KiB",
                        zero = "no limit",
                        reloadable = true)
                ByteSize maxBytes,
        @Setting(
                        value =
                                "longest message, headers and properties included; longer ones"
                                        + " are refused",
                        min = "1KiB",
                        max = "2047MiB",
                        reloadable = true)
                ByteSize maxMessageBytes,
        @Setting(
                        value =
                                "what happens to messages beyond `queue.max-messages` or"
                                        + " `queue.max-bytes`: the sender of a new one is refused,"
                                        + " or the oldest that no consumer has is dropped, or goes"
                                        + " to the dead-letter queue; there, the last is like the"
                                        + " first",
                        reloadable = true)
                Backlog.Overflow overflow,
        @Setting(
                        value = "longest life of a message, even if its sender allows it more",
                        min = "1ms",
                        max = "525600m",
                        zero = "no limit",
                        reloadable = true)
                Duration timeToLive,
        @Setting(
                        value =
                                "whether expired messages go to the dead-letter queue instead of"
                                        + " being dropped",
                        reloadable = true)
                boolean buryExpired,
        @Setting(
                        value =
                                "failed attempts, by rollback, recover, an exception of a listener"
                                        + " or the end of a session that has received it, after"
                                        + " which a message goes to the dead-letter queue",
                        unit = "attempts",
                        min = "1",
                        zero = "no limit",
                        reloadable = true)
                int maxDeliveries,
        @Setting(
                        value =
                                "how long a message waits after its second failed attempt, while"
                                        + " others pass by; the delay doubles with each further"
                                        + " one. After the first, and with 0s always, it comes"
                                        + " again at once, before the messages behind it",
                        min = "0s",
                        max = "60m",
                        reloadable = true)
                Duration redeliveryDelay,
        @Setting(
                        value =
                                "longest delay after a failed attempt, up to which"
                                        + " `queue.redelivery-delay` grows",
                        min = "0s",
                        max = "1440m",
                        reloadable = true)
                Duration maxRedeliveryDelay,
        @Setting(
                        value =
                                "other values of settings of `queue` for some queues, and for"
                                        + " the subscriptions of some topics; `*` stands for any"
                                        + " text, the first rule that fits decides; a part is the"
                                        + " name of another setting of `queue` that changes at run"
                                        + " time, such as `max-messages`",
                        unit = "NAME=PART:VALUE;PART:VALUE, joined by commas",
                        reloadable = true)
                PolicyRules policies,
        @Setting("queue that gets the messages that failed too often") String deadLetters,
        @Setting(
                        value =
                                "messages that one consumer may have and not have acknowledged;"
                                        + " then it gets no more. All consumers together may have"
                                        + " as many as fit into heap as large as"
                                        + " `storage.window`, at "
                                        + HeapCost.DELIVERY
                                        + " bytes each, a message of a group at three times that,"
                                        + " and those of one connection half of them",
                        unit = "messages",
                        min = "1")
                int maxUnacknowledged) {
    public static final QueueConfig DEFAULTS =
            new QueueConfig(
                    Math.toIntExact(Backlog.DEFAULTS.maxMessages()),
                    new ByteSize(Backlog.DEFAULTS.maxBytes()),
                    new ByteSize(Policy.DEFAULTS.maxMessageBytes()),
                    Backlog.DEFAULTS.overflow(),
                    Duration.ofMillis(Policy.DEFAULTS.maxTimeToLiveMillis()),
                    Policy.DEFAULTS.buriesExpired(),
                    Redelivery.DEFAULTS.maxDeliveries(),
                    Duration.ofMillis(Redelivery.DEFAULTS.firstDelayMillis()),
                    Duration.ofMillis(Redelivery.DEFAULTS.maxDelayMillis()),
                    PolicyRules.NONE,
                    ShardConfig.DEFAULTS.deadLetters(),
                    ShardConfig.DEFAULTS.maxUnacknowledged());

    public QueueConfig {
        Ranges.check(
                QueueConfig.class,
                maxMessages,
                maxBytes,
                maxMessageBytes,
                overflow,
                timeToLive,
                buryExpired,
                maxDeliveries,
                redeliveryDelay,
                maxRedeliveryDelay,
                policies,
                deadLetters,
                maxUnacknowledged);
        if (deadLetters.isBlank()) {
            throw new IllegalArgumentException(
                    "dead-letters: expected the name of a queue, found '" + deadLetters + "'");
        }
    }

    /// The rules of a shard.
    ///
    /// @param windowBytes bytes of messages that are kept in memory
    public ShardConfig shardConfig(long windowBytes) {
        return new ShardConfig(
                windowBytes,
                maxUnacknowledged,
                ShardConfig.DEFAULTS.deletedTogether(),
                ShardConfig.DEFAULTS.duplicateIds(),
                deadLetters,
                policyByName(),
                ShardConfig.DEFAULTS.prepared(),
                ShardConfig.DEFAULTS.destinationBytes(),
                ShardConfig.DEFAULTS.laneIndexes(),
                ShardConfig.DEFAULTS.heap());
    }

    /// The rules of destinations.
    Policies policyByName() {
        Policy others = policy();
        return (kind, name) -> policies.policyOf(name, others);
    }

    private Policy policy() {
        return new Policy(
                PolicyPart.redelivery(
                        maxDeliveries, redeliveryDelay.toMillis(), maxRedeliveryDelay.toMillis()),
                new Backlog(maxMessages, maxBytes.bytes(), overflow),
                timeToLive.toMillis(),
                maxMessageBytes.toInt(),
                buryExpired);
    }
}
