/// Topics, and the way of a message from its producer to the matching subscriptions.
///
/// ```
///  publisher's loop                                      subscriber's loop
///   Router.route(topic, block)
///     SubscriptionSet.match    PropertyProjection: property block -> SlotValues
///                              SelectorIndex, or every selector in turn -> matching subscriptions
///     Handing                  -> same loop:  DeliveryBatch
///                              -> other loop: Handover ------------> DeliveryBatch
///   Router.deliver, when the array of a read is needed again
///     DeliveryBatch            -> Subscription.onMessage, connection by connection
/// ```
///
/// Reading order: [Router], [Topic], [SubscriptionSet], [PropertyProjection], [DeliveryBatch],
/// [Handover], [TopicRegistry], [SlicedWork], [NameDictionary]. Routing runs on the publisher's
/// event loop; a topic's subscriptions are changed by the topic's owner loop alone and read by all
/// loops.
@NullMarked
package winnow.broker.destination;

import org.jspecify.annotations.NullMarked;
