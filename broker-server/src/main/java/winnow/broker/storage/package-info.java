/// The shard as the rest of the broker uses it: its thread, its log, and what goes to it and comes
/// back.
///
/// ```
///  event loop: Storage.execute(command) --> ShardThread: commands, then Shard.flush
///                                               |
///  event loop: Inbox <--- one task per cycle --- Outbox: deliveries, confirmations, answers
/// ```
///
/// A [StoredSession] is what the shard's thread knows of a client's session: which delivery is
/// which message of which consumer. [Flight] bounds what is on its way to a connection, and
/// [FlightMemory] to all. An [Inbox] runs what a loop is told in slices. [FigureSnapshots] publish
/// what the shard has for other threads. A [DiskWatch] keeps some of the disk free for consumers.
@NullMarked
package winnow.broker.storage;

import org.jspecify.annotations.NullMarked;
