/// Subscriptions of consumers, and the deliveries that wait for their credit.
///
/// ```
///  Router --onMessage--> Subscription -- credit --> DeliveryTarget (connection output)
///                             |                           ^
///                             | no credit                 | onCredit
///                             +-------> BacklogRuns ------+
///                                       positions in
///                                    WaitingMessages (one per loop): segments, each message once
/// ```
///
/// Reading order: [Subscription], [DeliverySource], [BacklogRuns], [WaitingMessages], [Segment],
/// [DeliveryTarget], [BacklogMemory], [ProducerCredit]. A subscription and its backlog are owned by
/// the event loop of their connection, its [Loop]; so is what waits in that loop.
@NullMarked
package winnow.broker.subscription;

import org.jspecify.annotations.NullMarked;
