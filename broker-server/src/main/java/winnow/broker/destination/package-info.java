/// Topics, and the way of a message from its producer to the matching subscriptions.
///
/// ```
///  publisher's loop                                      subscriber's loop
///   Router.route(topic, block)
///     TopicView (volatile)     -- no filter reads the message --> every subscription
///     PropertyProjection       property block -> SlotValues
///     Subscription.accepts     -> same loop:  Subscription.onMessage
///                              -> other loop: Handover ------------> Subscription.onMessage
/// ```
///
/// Reading order: [Router], [Topic], [TopicView], [PropertyProjection], [Handover],
/// [TopicRegistry], [NameDictionary]. Routing runs on the publisher's event loop; a topic's
/// subscriptions are changed by the topic's owner loop alone and read by all loops through one
/// volatile field.
@NullMarked
package winnow.broker.destination;

import org.jspecify.annotations.NullMarked;
