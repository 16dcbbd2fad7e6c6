package winnow.broker.shard;

/// Limits and rules of a shard.
///
/// @param windowBytes bytes of messages that are kept in memory; above that the oldest are read
///   from the log when they are needed, and those that are not persistent are written to it
/// @param maxDeliveries so many attempts, then a message goes to the dead-letter queue; 0 for no
///   limit
/// @param redeliveryDelayMillis how long a message waits after a failed attempt
/// @param deadLetters name of the dead-letter queue
/// @param deletedTogether rows of messages that are deleted by one range: each range costs the
///   readers of the log some time
/// @param duplicateIds so many identifiers of messages and transactions are remembered at least
public record ShardConfig(
        long windowBytes,
        int maxDeliveries,
        long redeliveryDelayMillis,
        String deadLetters,
        int deletedTogether,
        int duplicateIds) {}
