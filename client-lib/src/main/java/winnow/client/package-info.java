/// Winnow's provider for Jakarta Messaging 3.1.
///
/// Start at [WinnowConnectionFactory]; [ConnectionUrl] and [ConnectionOptions] say what it can be
/// told. [WinnowConnection], [WinnowSession], [WinnowProducer] and [WinnowConsumer] are the classic
/// API; [WinnowContext], [ContextProducer] and [ContextConsumer] are the simplified one over them.
/// [SendSettings] is what a producer of either puts on its messages.
///
/// ```
///  WinnowProducer -> WinnowMessage (headers) -> transport
///  transport -> Inbox (event loop) -> WinnowConsumer: receive(), or
///                                     ListenerDispatch: one listener of a session at a time
/// ```
///
/// Messages that the broker keeps belong to a session there, [SessionChannel]: [DeliveryLedger]
/// knows which deliveries the application has and has not acknowledged, [StoredAcknowledging] when
/// the broker is told, [Transacting] what is committed together. What the broker may send ahead,
/// and what goes back when another consumer waits, is [SentAhead] with [StoredCredit].
/// [ConsumerSpec] is what a consumer asks for, [BrowsedMessages] what a browser shows;
/// [Temporaries] names temporary destinations.
///
/// [BranchResource] is what a transaction manager calls: [Branches] knows how far each [Branch] of
/// a connection is, [BranchWork] what a session has done in it. [LocalWork] is what other sessions
/// do.
///
/// Event loops never run application code: listeners, completions and exception listeners run on
/// the application's [CallbackThreads]. [SessionMembers] is what a session closes; [ProcessHold]
/// keeps a program running that only listens. [JmsErrors] turns every failure into the API's
/// exceptions. [ServerBatches] gives messages to the server sessions of an application server.
@NullMarked
package winnow.client;

import org.jspecify.annotations.NullMarked;
