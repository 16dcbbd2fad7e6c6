/// The server. [Main] is the command line, [BrokerConfig] the settings, [Broker] makes the parts
/// and connects them.
///
/// Layers, each of which knows only those to its right: `Broker -> admin -> transport -> session ->
/// destination -> subscription`; `metrics` and `config` are known by all. A message's way:
/// [winnow.broker.transport.FrameHandler], [winnow.broker.transport.FrameDecoder],
/// [winnow.broker.session.ClientMessages], [winnow.broker.session.Producers],
/// [winnow.broker.routing.Router], [winnow.broker.subscription.Subscription],
/// [winnow.broker.transport.ConnectionOutput].
@NullMarked
package winnow.broker;

import org.jspecify.annotations.NullMarked;
