/// One connection to a broker: socket, frames, requests and their answers, flow control. The only
/// package of the client that uses Netty's channels.
///
/// Reading order: [WireConnection] (what the layer above calls),
/// [winnow.client.transport.connect.ConnectRounds] (who makes it: all hosts, again and again as
/// [winnow.client.transport.endpoint.RetryTerms] say), [winnow.client.transport.connect.Connector]
/// (one round), [winnow.client.transport.connect.ConnectAttempt] (TCP and handshake), [SendBuffer]
/// (where application threads append frames and wait for credit), [SocketWriter] (who writes them:
/// [DirectSocket], [SendPace]), [SocketReader] (who reads), [InboundFrames] (what arrives),
/// [Subscriptions] and [DeliveryReceiver] (to whom deliveries go), [Requests], [PublishLedger],
/// [Heartbeat], [Streak], [SharedEventLoops]. [winnow.client.transport.endpoint.Login] proves the
/// password, [ClientTls] and [ExplainedTrust] are TLS and its errors in words.
///
/// ```
///  application thread -> SendBuffer: frame appended to the pending bytes, under a short lock
///                           |- one flush task if none is scheduled -> event loop: one write
///                           `- quiet connection: the thread writes the socket itself
///  event loop: read -> InboundFrames -> DeliveryReceiver.onDelivery … then onBatchEnd, once a read
/// ```
///
/// The event loops are shared by all connections of the process and never run application code.
@NullMarked
package winnow.client.transport;

import org.jspecify.annotations.NullMarked;
