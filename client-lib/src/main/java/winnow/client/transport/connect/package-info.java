/// Rounds of attempts to reach one of several addresses: [ConnectRounds] over [Connector] over
/// [ConnectAttempt].
@NullMarked
package winnow.client.transport.connect;

import org.jspecify.annotations.NullMarked;
