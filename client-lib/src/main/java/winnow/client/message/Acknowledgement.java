package winnow.client.message;

import jakarta.jms.JMSException;

/// Performs `Message.acknowledge`: the session that delivered the message implements it.
@FunctionalInterface
public interface Acknowledgement {
    /// Acknowledges all messages that the session has delivered, if its mode leaves that to the
    /// application; otherwise does nothing.
    ///
    /// @throws jakarta.jms.IllegalStateException if the session is closed
    void acknowledge() throws JMSException;
}
