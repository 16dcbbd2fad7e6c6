/// Brokers and providers that are compared: their files ([ProviderFile]), their jars ([JarCache])
/// and their processes ([PeerBroker]).
@NullMarked
package winnow.loadgen.provider;

import org.jspecify.annotations.NullMarked;
