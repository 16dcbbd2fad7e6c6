package winnow.client.option;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.time.Duration;

/// Told when connections of a [winnow.client.WinnowConnectionFactory] are interrupted and when they
/// are back. It need not do anything about it: sessions, consumers and producers go on by
/// themselves. Called one at a time for each connection, in a thread of the client; it must not
/// block for long.
public interface InterruptionListener {
    /// The broker is away: sends and requests wait, and receivers get nothing.
    ///
    /// @param peer host and port of the broker
    /// @param cause why the connection was lost
    void onInterrupted(Connection connection, String peer, JMSException cause);

    /// The connection is back. Consumers of topics without a name, which the broker keeps nothing
    /// for, have missed what was published meanwhile.
    ///
    /// @param peer host and port of the broker, which may be another one than before
    /// @param gap how long there was no connection
    void onResumed(Connection connection, String peer, Duration gap);
}
