/// What a consumer registered, and the deliveries that wait for its credit.
///
/// ```
///  Router --onMessage--> Subscription -- credit --> DeliveryTarget (connection output)
///                             |                           ^
///                             | no credit                 | onCredit
///                             +-------> Backlog ----------+
///                                       positions in
///                                    WaitingMessages (one per loop): segments, each message once
/// ```
///
/// Reading order: [Subscription], [DeliverySource], [Backlog], [WaitingMessages], [Segment],
/// [DeliveryTarget], [BacklogMemory], [ProducerCredit]. A subscription and its backlog are owned by
/// the event loop of their connection, its [Loop]; so is what waits in that loop.
@NullMarked
package winnow.broker.subscription;

import org.jspecify.annotations.NullMarked;
