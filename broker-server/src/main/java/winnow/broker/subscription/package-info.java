/// What a consumer registered, and the deliveries that wait for its credit.
///
/// ```
///  Router (destination) --onMessage--> Subscription --credit?--> DeliveryTarget (connection output)
///                                          |  no                     ^
///                                          v                         |
///                                       Backlog  ---onCredit---------+
/// ```
///
/// Reading order: [Subscription], [Backlog], [DeliveryTarget], [BacklogMemory]. A subscription and
/// its backlog are owned by the event loop of their connection, its [Loop].
@NullMarked
package winnow.broker.subscription;

import org.jspecify.annotations.NullMarked;
