/// The modes of acknowledgement and the transactions of a session. [SessionWork] is what a session
/// does with messages, [Acknowledging] one mode of it, [DeliveryLedger] what is not acknowledged.
/// Consumers are known as [PrefetchConsumer] alone.
@NullMarked
package winnow.client.acknowledge;

import org.jspecify.annotations.NullMarked;
