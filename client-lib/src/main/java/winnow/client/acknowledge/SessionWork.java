package winnow.client.acknowledge;

import jakarta.jms.JMSException;
import winnow.client.link.BrokerLink;
import winnow.client.link.BrokerSession;
import winnow.client.link.Current;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.DeliveryRanges;

/// Handling of the messages that a session receives and sends: its acknowledgement mode and its
/// transactions.
public interface SessionWork {
    /// Makes that of a session.
    @FunctionalInterface
    interface Factory {
        /// @param channel what the session is at the broker
        /// @param consumers the session's
        SessionWork make(
                BrokerLink link,
                BrokerSession channel,
                Iterable<? extends PrefetchConsumer> consumers);
    }

    /// Acknowledging of messages that the broker does not keep.
    Acknowledging live();

    /// Acknowledging of messages that the broker keeps.
    Acknowledging stored();

    /// True if what is sent now waits for a commit.
    boolean isTransacted();

    /// True if its transactions are branches of distributed ones.
    boolean isDistributed();

    /// Number of the session for a message that is about to be published; 0 if it is published at
    /// once.
    ///
    /// @param now the connection that it will be published on
    /// @throws JMSException if the transaction is lost
    /// @throws TransportException if the broker offers no sessions
    int onPublish(Current now) throws JMSException, TransportException;

    /// Makes the session's transaction take effect.
    ///
    /// @throws JMSException if it has none, or the broker has rolled it back
    void commit() throws JMSException;

    /// Forgets the session's transaction.
    ///
    /// @throws JMSException if it has none, or the broker does not answer
    void rollback() throws JMSException;

    /// Acknowledges what the broker need not know at once.
    void acknowledgeLate();

    /// Stored messages that the application has received and not acknowledged.
    DeliveryRanges unacknowledged();

    /// The same of one consumer.
    DeliveryRanges unacknowledged(PrefetchConsumer consumer);

    /// The connection is lost, and with it what is not acknowledged or committed. No consumer of
    /// the session hands a message of the broker's out that has come before.
    void onLost();

    /// The application knows of what was lost.
    void forgetLost();

    /// The session is closed.
    ///
    /// @return whether it may end at the broker now; otherwise that is done later
    boolean onClose();
}
