package winnow.client;

import jakarta.jms.JMSException;
import java.util.function.IntFunction;
import winnow.client.destination.WinnowDestination;
import winnow.client.transport.ConnectionEvents;
import winnow.client.transport.ConnectionTarget;
import winnow.client.transport.PublishHandle;
import winnow.client.transport.TransportException;
import winnow.client.transport.WireConnection;
import winnow.wire.SessionFrame;

/// The way of a JMS connection to its broker. It stays the same object for sessions, producers and
/// consumers while the connection below it is replaced by another one. Thread-safe.
///
/// What belongs to one connection below does not survive its replacement: handles of destinations,
/// subscriptions and sessions at the broker.
final class BrokerLink {
    private volatile WireConnection wire;
    private volatile OpenDestinations destinations;

    /// Connects.
    ///
    /// @throws TransportException if the broker cannot be reached in time or refuses
    BrokerLink(ConnectionTarget target, ConnectionEvents events) throws TransportException {
        wire = WireConnection.connect(target, events);
        destinations = new OpenDestinations(wire);
    }

    /// Connects once more, and lets go of the connection of before. If that fails, nothing changes.
    ///
    /// @param connected called before the connection of before is closed
    /// @param closeTimeoutMillis longest wait for the broker to close it
    /// @throws TransportException if the broker cannot be reached in time or refuses
    void replace(
            ConnectionTarget target,
            ConnectionEvents events,
            Runnable connected,
            long closeTimeoutMillis)
            throws TransportException {
        WireConnection before = wire;
        WireConnection next = WireConnection.connect(target, events);
        wire = next;
        destinations = new OpenDestinations(next);
        connected.run();
        before.close(closeTimeoutMillis);
    }

    /// The connection of now. Who needs it again later asks again.
    WireConnection wire() {
        return wire;
    }

    /// The handle of a destination; give it back with [#release].
    ///
    /// @throws TransportException if the broker refuses
    PublishHandle acquire(WinnowDestination destination) throws TransportException {
        return destinations.acquire(destination);
    }

    void release(WinnowDestination destination) {
        destinations.release(destination);
    }

    /// Whether the connection of now is lost.
    boolean isLost() {
        return wire.endedBy() != null;
    }

    /// @throws JMSException with the reason if the connection of now is lost
    void requireNotLost() throws JMSException {
        TransportException cause = wire.endedBy();
        if (cause != null) {
            throw JmsErrors.of(cause);
        }
    }

    /// @throws JMSException if the broker has no queues, sessions and named subscriptions
    void requireStored() throws JMSException {
        try {
            wire.requireStored();
        } catch (TransportException e) {
            throw JmsErrors.of(e);
        }
    }

    /// Asks the broker for something that concerns the whole connection.
    ///
    /// @throws JMSException if it refuses or does not answer
    void ask(IntFunction<SessionFrame> request) throws JMSException {
        try {
            wire.ask(request);
        } catch (TransportException e) {
            throw JmsErrors.of(e);
        }
    }
}
