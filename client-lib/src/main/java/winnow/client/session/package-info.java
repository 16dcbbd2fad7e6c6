/// Connections, sessions, producers, consumers and browsers of the API, and the threads that call
/// listeners. [WinnowConnection], [WinnowSession], [WinnowProducer] and [WinnowConsumer] are the
/// classic API, over which [winnow.client.WinnowConnectionFactory] has the simplified one.
@NullMarked
package winnow.client.session;

import org.jspecify.annotations.NullMarked;
