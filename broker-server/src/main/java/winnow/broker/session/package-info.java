/// One client connection: handshake, requests, publishing, credit.
///
/// Reading order: [ClientConnection] (frames of one connection), [Handshake], [Producers] and
/// [ProducerHandle] (publishing and producer credit), [Consumers] (subscriptions), [Connections]
/// (all connections), [Authenticator], [PasswordChecks] and [UserFile] (credentials),
/// [UserFileWriter] and [FirstUser] (who may connect at all), [SelectorParsing] (selector text
/// leaves the event loop), [MetadataBudget] and [MetadataAccount] (the heap of what clients
/// register). [Output] and [SessionLoop] are what the transport offers.
///
/// A connection and everything in it is owned by its event loop.
@NullMarked
package winnow.broker.session;

import org.jspecify.annotations.NullMarked;
