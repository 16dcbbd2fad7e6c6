package winnow.client;

import jakarta.jms.JMSException;
import winnow.client.transport.TransportException;
import winnow.wire.DeliveryRanges;

/// What becomes of the messages that a session receives and sends: its acknowledgement mode and its
/// transactions.
interface SessionWork {
    /// Makes that of a session.
    @FunctionalInterface
    interface Factory {
        /// @param channel what the session is at the broker
        /// @param consumers the session's
        SessionWork make(
                BrokerLink link, SessionChannel channel, Iterable<WinnowConsumer> consumers);
    }

    /// What becomes of messages that the broker does not keep.
    Acknowledging live();

    /// What becomes of messages that the broker keeps.
    Acknowledging stored();

    /// Whether what is sent now waits for a commit.
    boolean isTransacted();

    /// Whether its transactions are branches of distributed ones.
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

    /// What the application has received of stored messages and not acknowledged.
    DeliveryRanges unacknowledged();

    /// The same of one consumer.
    DeliveryRanges unacknowledged(WinnowConsumer consumer);

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
