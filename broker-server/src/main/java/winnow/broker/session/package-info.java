/// One client connection: handshake, requests, publishing, credit, sessions.
///
/// Reading order: [ClientConnection] (frames of one connection), [Handshake], [Producers] and
/// [ProducerHandle] (publishing and producer credit), [LongPublish] (a message whose recipients
/// take long to find), [PartsProducers] with [HeadMatching] and [PartsPublish] (messages in parts),
/// [ReadTurns] and [ReadingPauses] (when a connection is not read), [Consumers] (live
/// subscriptions), [SessionChannels] (sessions, and what they acknowledge), [StoredConsumers] and
/// [StoredDeliveries] (their consumers and messages), [SessionTransactions] with
/// [TransactionMatching] (before a commit) and [CommittedMessages] (after it), [SessionBranches]
/// (distributed transactions), [StoredPublish] (a message on its way into the storage),
/// [StorageIntake] (the heap that all of these take), [StorageCommands] and [HeldFrame] (what is
/// asked of the storage, and its answers), [TemporaryDestinations], [Connections] (all of them),
/// [Authenticator], [PasswordChecks] and [UserFile] (credentials), [UserFileWriter] and [FirstUser]
/// (who may connect at all), [UserTags] and [LastUser] (changes of users), [SelectorParsing]
/// (selector text leaves the event loop), [MetadataBudget] and [MetadataAccount] (the heap of what
/// clients register), [FrameNeeds] and [ConnectionAccess] (what a user may do). [Output] and
/// [SessionLoop] are what the transport offers.
///
/// A connection and everything in it is owned by its event loop. What it asks of the storage runs
/// on the storage's thread, which has a [winnow.broker.storage.StoredSession] for each session.
@NullMarked
package winnow.broker.session;

import org.jspecify.annotations.NullMarked;
