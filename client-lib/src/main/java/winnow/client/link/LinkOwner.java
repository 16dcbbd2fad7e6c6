package winnow.client.link;

import java.time.Duration;
import winnow.client.transport.endpoint.TransportException;

/// Everything that is told of a [BrokerLink].
public interface LinkOwner {
    /// The connection is lost, and the client tries to come back. By who reads the socket; must not
    /// block.
    void onInterrupted(Loss loss);

    /// Nothing more comes of a connection that was lost: what belonged to it is forgotten. By the
    /// thread that comes back, before there is another connection.
    void detach(TransportException cause);

    /// There is another connection, which is not in use yet: makes again what the broker has to
    /// know. By the thread that comes back; does not wait for answers.
    void restore(Current next);

    /// The other connection is in use. Must not block.
    void onResumed(Current now, Duration gap);

    /// The connection is gone for good. Must not block.
    void onEnded(TransportException cause);

    /// A message that asked for no confirmation was refused. By who reads the socket.
    void onRefused(String destination, TransportException reason);
}
