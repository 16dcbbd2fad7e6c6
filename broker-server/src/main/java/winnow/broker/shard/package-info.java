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
/// Messages that a consumer with a selector may have are found by its [Lane]: a [LaneIndex] of a
/// subscription tells which filters let a message through, when it comes, and a [LaneScan] looks at
/// those that were there before, some at a time. A message of a group goes to the consumer that has
/// the group ([Groups]), and waits for it if it has no credit, or for what has to come again before
/// ([HeldGroups]); the others go on. A message that is sent again is recognised by its identifier
/// ([DuplicateWindow]). A [Policy] says for each destination how often messages are delivered, how
/// many may wait, and how long they live; [Graves] knows where they go after that.
///
/// A body that is too long for one piece comes in parts ([Upload]), each a row of its own; messages
/// refer to it by its number ([LargeBodies]).
///
/// A log that fails takes nothing any more; what can be read is still delivered, and the next start
/// marks everything as perhaps delivered. Rows that cannot be read, because a block of a file is
/// damaged, cost only their messages: these are put aside ([Damage]), and the others go on.
///
/// A [Shard] and everything in it belongs to one thread. It asks no clock, and calls nothing that
/// waits but its recovery: the same commands and completions in the same order give the same
/// batches and deliveries, so that a simulation can repeat them.
@NullMarked
package winnow.broker.shard;

import org.jspecify.annotations.NullMarked;
