package winnow.broker.shard;

/// Makes the index of a queue's filters, when its first consumer with a filter comes. Called by the
/// shard's thread.
@FunctionalInterface
public interface LaneIndexes {
    LaneIndex create();
}
