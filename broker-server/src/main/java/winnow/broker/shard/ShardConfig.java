package winnow.broker.shard;

/// Limits and rules of a shard.
///
/// @param windowBytes bytes of messages that are kept in memory; above that the oldest are read
///   from the log when they are needed, and those that are not persistent are written to it
/// @param maxUnacknowledged messages that one consumer may have and not have acknowledged
/// @param deletedTogether rows of messages that are deleted by one range: each range costs the
///   readers of the log some time
/// @param duplicateIds so many identifiers of messages and transactions are remembered at least
/// @param deadLetters name of the dead-letter queue
/// @param policies rules of the destinations
/// @param prepared how much may be prepared and wait for a decision
/// @param destinationBytes heap that queues and stored subscriptions may take, without their
///   messages
/// @param laneIndexes find the filters of consumers that let a message through
public record ShardConfig(
        long windowBytes,
        int maxUnacknowledged,
        int deletedTogether,
        int duplicateIds,
        String deadLetters,
        Policies policies,
        PreparedLimits prepared,
        long destinationBytes,
        LaneIndexes laneIndexes) {
    private static final int BYTES_PER_DELIVERY = 256;
    private static final int MIN_GROUPS = 4096;
    private static final int MAX_GROUPS = 1 << 20;
    private static final int MIN_TIMES = 16_384;
    private static final int MAX_TIMES = 1 << 20;

    public static final ShardConfig DEFAULTS =
            new ShardConfig(
                    256L << 20,
                    100_000,
                    4096,
                    100_000,
                    "winnow.dead",
                    Policies.of(Policy.DEFAULTS),
                    PreparedLimits.DEFAULTS,
                    64L << 20,
                    LinearLaneIndex::new);

    /// Groups whose consumers are remembered, of all lanes together: each takes about 100 B.
    int maxGroups() {
        return Math.clamp(windowBytes / 512, MIN_GROUPS, MAX_GROUPS);
    }

    /// Sets of messages with about the same time that the shard keeps with ease: 200 B each, for
    /// expirations and for delays.
    int comfortableTimes() {
        return Math.clamp(windowBytes / 1024, MIN_TIMES, MAX_TIMES);
    }

    /// Messages that the consumers of one connection may have and not have acknowledged: one may
    /// have all that it may, and all together take no more heap than the window.
    int maxPerConnection() {
        return Math.clamp(windowBytes / BYTES_PER_DELIVERY, maxUnacknowledged, Integer.MAX_VALUE);
    }

    public ShardConfig withWindowBytes(long bytes) {
        return new ShardConfig(
                bytes,
                maxUnacknowledged,
                deletedTogether,
                duplicateIds,
                deadLetters,
                policies,
                prepared,
                destinationBytes,
                laneIndexes);
    }

    public ShardConfig withDeletedTogether(int rows) {
        return new ShardConfig(
                windowBytes,
                maxUnacknowledged,
                rows,
                duplicateIds,
                deadLetters,
                policies,
                prepared,
                destinationBytes,
                laneIndexes);
    }

    public ShardConfig withPolicies(Policies others) {
        return new ShardConfig(
                windowBytes,
                maxUnacknowledged,
                deletedTogether,
                duplicateIds,
                deadLetters,
                others,
                prepared,
                destinationBytes,
                laneIndexes);
    }

    public ShardConfig withLaneIndexes(LaneIndexes others) {
        return new ShardConfig(
                windowBytes,
                maxUnacknowledged,
                deletedTogether,
                duplicateIds,
                deadLetters,
                policies,
                prepared,
                destinationBytes,
                others);
    }

    public ShardConfig withPrepared(PreparedLimits others) {
        return new ShardConfig(
                windowBytes,
                maxUnacknowledged,
                deletedTogether,
                duplicateIds,
                deadLetters,
                policies,
                others,
                destinationBytes,
                laneIndexes);
    }

    public ShardConfig withDestinationBytes(long bytes) {
        return new ShardConfig(
                windowBytes,
                maxUnacknowledged,
                deletedTogether,
                duplicateIds,
                deadLetters,
                policies,
                prepared,
                bytes,
                laneIndexes);
    }
}
