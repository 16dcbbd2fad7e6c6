/// Winnow's provider for Jakarta Messaging 3.1.
///
/// Start at [WinnowConnectionFactory]. The classic API is in [winnow.client.session], over it
/// [WinnowContext], [ContextProducer] and [ContextConsumer] are the simplified one.
///
/// ```
///  winnow.client.session      connections, sessions, producers, consumers, listeners
///  winnow.client.xa           branches of distributed transactions
///  winnow.client.acknowledge  modes of acknowledgement, transactions
///  winnow.client.receive      messages that wait for the application
///  winnow.client.link         one connection to the broker after the other
///  winnow.client.transport    frames, sockets, TLS, attempts to connect
/// ```
///
/// ```
///  WinnowProducer -> WinnowMessage (headers) -> transport
///  transport -> ConsumerBuffer (event loop) -> WinnowConsumer: receive(), or
///                                     ListenerDispatch: one listener of a session at a time
/// ```
///
/// Event loops never run application code: listeners, completions and exception listeners run on
/// threads of the application.
@NullMarked
package winnow.client;

import org.jspecify.annotations.NullMarked;
