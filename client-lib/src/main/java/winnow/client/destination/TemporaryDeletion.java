package winnow.client.destination;

import jakarta.jms.JMSException;

/// What `delete` of a temporary destination does: the connection that made it implements it.
@FunctionalInterface
public interface TemporaryDeletion {
    /// Ends the destination.
    ///
    /// @throws JMSException if it has consumers, or the connection is closed or lost
    void delete(WinnowDestination destination) throws JMSException;
}
