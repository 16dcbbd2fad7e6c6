/// Queues and durable subscriptions: which messages they have, who has received them, and what of
/// this is written to the [winnow.store.ShardLog].
///
/// ```
///  publish -> Intake.append --> Journal: Entry (a batch of the log and who waits for it)
///  acknowledge, release ------>   |  Shard.flush: one append for all since the last
///  commit of a transaction --->   v
///                              ShardLog --completion--> messages become available, clients get
///                                                       their confirmations
///  consumer's credit -> Dispatcher: StoredSubscription.next -> MessageWindow, or MessageReader
///                       where the message is on the disk only -> StoredConsumer -> client
/// ```
///
/// A [Shard] and everything in it belongs to one thread. It asks no clock, and calls nothing that
/// waits but its recovery: the same commands and completions in the same order give the same
/// batches and deliveries, so that a simulation can repeat them.
@NullMarked
package winnow.broker.shard;

import org.jspecify.annotations.NullMarked;
