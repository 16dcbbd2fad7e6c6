/// What a consumer registered, and the deliveries that wait for its credit.
///
/// ```
///  Router --onMessage--> Subscription -- credit --> DeliveryTarget (connection output)
///                             |                           ^
///                             | no credit                 | onCredit
///                             +-------> Backlog ----------+
/// ```
///
/// Reading order: [Subscription], [Backlog], [DeliveryTarget], [BacklogMemory]. A subscription and
/// its backlog are owned by the event loop of their connection, its [Loop].
@NullMarked
package winnow.broker.subscription;

import org.jspecify.annotations.NullMarked;
