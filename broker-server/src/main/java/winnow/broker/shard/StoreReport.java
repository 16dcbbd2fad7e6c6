package winnow.broker.shard;

import java.util.List;
import java.util.Map;
import winnow.store.Table;
import winnow.wire.DestinationKind;

/// Contents of the log of a shard.
///
/// @param tables rows of each table that was read
/// @param destinations in the order in which they were made
/// @param subscriptions the durable ones of topics, in the order in which they were made
/// @param prepared transactions that wait for a decision
/// @param damaged how many rows are not what was written
/// @param damages what was found there; the first 100
/// @param quarantined messages that were damaged earlier, and have been put aside
/// @param quarantines what was found there; the first 100
public record StoreReport(
        Map<Table, Rows> tables,
        List<Destination> destinations,
        List<Subscription> subscriptions,
        long prepared,
        long damaged,
        List<String> damages,
        long quarantined,
        List<String> quarantines) {
    /// @param bytes of keys and values
    public record Rows(long rows, long bytes) {}

    /// A queue or topic.
    ///
    /// @param messages that a subscription has not acknowledged
    /// @param bytes of these, as on the wire
    public record Destination(DestinationKind kind, String name, long messages, long bytes) {}

    /// A durable subscription.
    ///
    /// @param name with its client identifier, if it has one
    /// @param messages that it has not acknowledged
    /// @param bytes of these, as on the wire
    public record Subscription(String topic, String name, long messages, long bytes) {}

    /// True if every row that is needed can be read, and is what was written.
    public boolean sound() {
        return damaged == 0;
    }
}
