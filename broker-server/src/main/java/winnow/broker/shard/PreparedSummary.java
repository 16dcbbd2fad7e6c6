package winnow.broker.shard;

import winnow.wire.Xid;

/// Summary of a prepared transaction, for people.
///
/// @param owner who has prepared it, empty if nobody knows
/// @param sends messages that it sends
/// @param received messages that it has received
/// @param bytes of heap that it takes
public record PreparedSummary(Xid xid, String owner, int sends, int received, long bytes) {}
