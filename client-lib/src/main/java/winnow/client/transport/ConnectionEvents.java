package winnow.client.transport;

import java.util.List;
import winnow.client.transport.endpoint.TransportException;

/// Events that a connection tells the layer above. Called by who reads the socket; must not block.
public interface ConnectionEvents {
    /// The connection, once established, is gone without having been closed from this side. Called
    /// once.
    ///
    /// @param lost the connection
    /// @param unanswered confirmed publishes in the order of their numbers, whose confirmations are
    ///   left to who is told
    void onLost(WireConnection lost, TransportException cause, List<UnansweredPublish> unanswered);

    /// A message that asked for no confirmation was refused.
    ///
    /// @param destination name of the destination
    void onRefused(String destination, TransportException reason);
}
