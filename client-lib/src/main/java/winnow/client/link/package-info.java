/// The way of a JMS connection to its broker: [BrokerLink] stays the same while connections below
/// it come and go, [Reconnection] makes the next one, [BrokerSession] is a session there. What was
/// sent and not answered is a [PendingSend].
@NullMarked
package winnow.client.link;

import org.jspecify.annotations.NullMarked;
