/// One client connection: handshake, requests, publishing, credit, sessions.
///
/// Reading order: [ClientConnection] (requests of one client) and [ClientMessages] (its messages
/// and credit), [Handshake], [Producers] and [ProducerHandle] (publishing and producer credit),
/// [PartsProducers] with [PartsPublish] (messages in parts), [winnow.broker.routing.MatchQueue]
/// (who gets what is published), [ReadTurns] and [ReadingPauses] (when a connection is not read),
/// [Consumers] (live subscriptions), [SessionChannels] (sessions, and what they acknowledge),
/// [StoredConsumers] and [StoredDeliveries] (their consumers and messages), [SessionTransactions]
/// with [TransactionMatching] (before a commit) and [CommittedMessages] (after it),
/// [SessionBranches] (distributed transactions), [StoredPublish] (a message on its way into the
/// storage), [StorageIntake] (the heap that all of these take), [StorageCommands] and [HeldRequest]
/// (what is asked of the storage, and its answers), [TemporaryDestinations], [Connections] (all of
/// them), [winnow.broker.security.Authenticator], [winnow.broker.security.PasswordChecks],
/// [winnow.broker.security.TokenChecks] and [winnow.broker.security.DirectoryChecks] with
/// [winnow.broker.security.CheckOrder], [winnow.broker.security.CheckThreads],
/// [winnow.broker.security.KeyedDigest] and [winnow.broker.security.RememberedLogins]
/// (credentials), [winnow.broker.security.UserFile], [winnow.broker.security.UserFileWriter] and
/// [winnow.broker.security.FirstUser] (who may connect at all), [winnow.broker.security.UserTags]
/// and [winnow.broker.security.LastUser] (changes of users), [SelectorParsing] (selector text
/// leaves the event loop), [winnow.broker.budget.MetadataBudget] and
/// [winnow.broker.budget.MetadataAccount] (the heap of what clients register), [FrameNeeds] and
/// [ConnectionAccess] (what a user may do). [Output], [ClientInput] and [SessionLoop] are what the
/// transport offers.
///
/// A connection and everything in it is owned by its event loop. What it asks of the storage runs
/// on the storage's thread, which has a [winnow.broker.storage.StoredSession] for each session.
@NullMarked
package winnow.broker.session;

import org.jspecify.annotations.NullMarked;
