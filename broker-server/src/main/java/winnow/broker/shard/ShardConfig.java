package winnow.broker.shard;

import winnow.broker.memory.BrokerHeap;
import winnow.broker.memory.HeapPart;

/// Limits and rules of a shard.
///
/// @param windowBytes bytes of messages that are kept in memory; above that the oldest are read
///   from the log when they are needed, and those that are not persistent are written to it
/// @param maxUnacknowledged messages that one consumer may have and not have acknowledged
/// @param deletedTogether rows of messages that are deleted by one range: each range costs the
///   readers of the log some time
/// @param duplicateIds so many identifiers of messages and transactions are remembered at least,
///   unless they take more than half as much heap as the window
/// @param deadLetters name of the dead-letter queue
/// @param policies rules of the destinations
/// @param prepared how much may be prepared and wait for a decision
/// @param destinationBytes heap that queues and stored subscriptions may take, without their
///   messages
/// @param laneIndexes find the filters of consumers that let a message through
/// @param heap that the budgets of the shard share with others
public record ShardConfig(
        long windowBytes,
        int maxUnacknowledged,
        int deletedTogether,
        int duplicateIds,
        String deadLetters,
        Policies policies,
        PreparedLimits prepared,
        long destinationBytes,
        LaneIndexes laneIndexes,
        BrokerHeap heap) {
    private static final int MIN_DELIVERIES = 4000;
    private static final long MIN_DUPLICATE_BYTES = 256 << 10;
    private static final long MIN_LARGE_BODY_BYTES = 64 << 10;
    private static final long MIN_INSTANCE_BYTES = 64 << 10;

    /// Most instances of clients that are remembered.
    static final int MAX_INSTANCES = 100_000;

    private static final int MIN_GROUPS = 4096;
    private static final int MAX_GROUPS = 1 << 20;
    private static final long MIN_HELD_GROUP_BYTES = 64 << 10;
    private static final long MIN_TIMER_BYTES = 1 << 20;

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
                    LinearLaneIndex::new,
                    BrokerHeap.unlimited());

    /// Heap of messages.
    HeapPart windowHeap() {
        return heap.part("storage.window", windowBytes);
    }

    /// Heap of queues and stored subscriptions.
    HeapPart destinationHeap() {
        return heap.essentialPart("storage.destinations", destinationBytes);
    }

    /// Heap of prepared transactions.
    HeapPart preparedHeap() {
        return heap.part("storage.prepared", prepared.bytes());
    }

    /// Heap of what lanes with filters know of their messages.
    HeapPart laneHeap() {
        return heap.part("lanes", windowBytes);
    }

    /// Heap of groups that wait because a message of them has failed.
    HeapPart heldGroupHeap() {
        return heap.part("failed groups", heldGroupBytes());
    }

    /// Limit of [#heldGroupHeap].
    long heldGroupBytes() {
        return Math.max(MIN_HELD_GROUP_BYTES, windowBytes / 8);
    }

    /// Groups without deliveries whose consumers are remembered, of all lanes together: each takes
    /// about 100 B.
    int maxGroups() {
        return Math.clamp(windowBytes / 512, MIN_GROUPS, MAX_GROUPS);
    }

    /// Heap of the sets of messages with about the same time.
    ///
    /// @param name of what is due then
    HeapPart timerHeap(String name) {
        return heap.part(name, timerBytes());
    }

    /// Limit of [#timerHeap].
    long timerBytes() {
        return Math.max(MIN_TIMER_BYTES, windowBytes / 2);
    }

    /// Heap of messages that consumers have and have not acknowledged: all together take no more
    /// than the window.
    HeapPart deliveryHeap() {
        return heap.part("deliveries", (long) maxDeliveries() * HeapCost.DELIVERY);
    }

    private int maxDeliveries() {
        return Math.clamp(windowBytes / HeapCost.DELIVERY, MIN_DELIVERIES, Integer.MAX_VALUE);
    }

    /// Messages that the consumers of one connection may have and not have acknowledged.
    int maxPerConnection() {
        return maxDeliveries() / 2;
    }

    /// Heap of the identifiers that are remembered.
    HeapPart duplicateHeap() {
        return heap.part("identifiers", Math.max(MIN_DUPLICATE_BYTES, windowBytes / 2));
    }

    /// Heap of the instances of clients that are remembered.
    HeapPart instanceHeap() {
        return heap.part("instances", Math.max(MIN_INSTANCE_BYTES, windowBytes / 16));
    }

    /// Heap of what is kept of bodies in parts, whose parts are in the log.
    HeapPart largeBodyHeap() {
        return heap.part("large bodies", largeBodyBytes());
    }

    /// Limit of [#largeBodyHeap].
    long largeBodyBytes() {
        return Math.max(MIN_LARGE_BODY_BYTES, windowBytes / 2);
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
                laneIndexes,
                heap);
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
                laneIndexes,
                heap);
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
                laneIndexes,
                heap);
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
                others,
                heap);
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
                laneIndexes,
                heap);
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
                laneIndexes,
                heap);
    }

    public ShardConfig withHeap(BrokerHeap other) {
        return new ShardConfig(
                windowBytes,
                maxUnacknowledged,
                deletedTogether,
                duplicateIds,
                deadLetters,
                policies,
                prepared,
                destinationBytes,
                laneIndexes,
                other);
    }
}
