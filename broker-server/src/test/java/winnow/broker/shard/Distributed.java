package winnow.broker.shard;

/// A transaction of a [ShardSimulation] that is prepared, then committed or rolled back.
final class Distributed {
    final ShardOracle.Transaction watched;
    boolean prepared;
    boolean committing;
    boolean rollingBack;

    Distributed(ShardOracle.Transaction watched) {
        this.watched = watched;
    }

    void onPrepared() {
        prepared = true;
    }
}
