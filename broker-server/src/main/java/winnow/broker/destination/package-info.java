/// Topics and queues, and the way of a message from its producer to the matching subscriptions.
///
/// ```
///  publisher's loop                                      subscriber's loop
///   Router.begin(topic, block)
///     SubscriptionSet.begin    PropertyProjection: property block -> SlotValues
///                              SelectorIndex, or every selector in turn -> matching subscriptions
///     Handing                  -> same loop:  DeliveryBatch
///                              -> other loop: Handover ------------> DeliveryBatch
///   Router.deliver, when the array of a read is needed again
///     DeliveryBatch            -> Subscription.onMessage, connection by connection
/// ```
///
/// Reading order: [Router], [Topic], [SubscriptionSet], [PropertyProjection], [Handing],
/// [DeliveryBatch], [Handover], [SharedMessage], [LongMatch], [MatchTurn], [OrderedMatches],
/// [DestinationRegistry], [SlicedWork], [Tuning], [NameDictionary]. Routing runs on the publisher's
/// event loop; a topic's subscriptions are changed by the topic's owner loop alone and read by all
/// loops.
///
/// What is stored belongs to the thread of the [winnow.broker.storage.Storage]:
/// [NamedSubscriptions] (durable and shared ones, each a recipient in its topic's index),
/// [DelayedTopics], [SelectorFilter] and [IndexedFilters] (the selectors of a queue's consumers). A
/// [Queue] is only its name here; [Temporaries] says whose temporary destinations are.
@NullMarked
package winnow.broker.destination;

import org.jspecify.annotations.NullMarked;
