/// The way of a message from its producer to the matching subscriptions.
///
/// ```
///  publisher's loop                                      subscriber's loop
///   MatchQueue.match(topic, block, …), then Router.begin, which may leave a SlicedMatch
///     SubscriptionSet.begin    PropertyProjection: property block -> SlotValues
///                              SelectorIndex, or every selector in turn -> matching subscriptions
///     Handing                  -> same loop:  DeliveryBatch
///                              -> other loop: Handover ------------> DeliveryBatch
///   Router.deliver, when the array of a read is needed again
///     DeliveryBatch            -> Subscription.onMessage, connection by connection
///   MatchDone.onMatched(MatchResult), when all recipients are found
/// ```
///
/// Reading order: [MatchQueue] with [MatchDone], [MatchResult] and [Audience], [Router], [Handing],
/// [DeliveryBatch], [Handover], [SharedMessage], [SlicedMatch], [MatchTurn], [DestinationRegistry].
/// Routing runs on the publisher's event loop; a topic's subscriptions are changed by the topic's
/// owner loop alone and read by all loops. [NamedSubscriptions] (durable and shared ones, each a
/// recipient in its topic's index) and [DelayedTopics] belong to the thread of the
/// [winnow.broker.storage.Storage].
@NullMarked
package winnow.broker.routing;

import org.jspecify.annotations.NullMarked;
