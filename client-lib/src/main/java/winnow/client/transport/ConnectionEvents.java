package winnow.client.transport;

/// What a connection tells the layer above. Called by who reads the socket; must not block.
public interface ConnectionEvents {
    /// The connection, once established, is gone without having been closed from this side. Called
    /// once.
    void onLost(TransportException cause);

    /// A message that asked for no confirmation was refused.
    ///
    /// @param destination name of the destination
    void onRefused(String destination, TransportException reason);
}
