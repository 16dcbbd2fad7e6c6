package winnow.client.destination;

import jakarta.jms.JMSException;

/// Performs `delete` of a temporary destination; implemented by the connection that made it.
@FunctionalInterface
public interface TemporaryDeletion {
    /// Ends the destination.
    ///
    /// @throws JMSException if it has consumers, or the connection is closed or lost
    void delete(WinnowDestination destination) throws JMSException;
}
