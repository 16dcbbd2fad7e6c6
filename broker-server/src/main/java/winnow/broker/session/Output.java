package winnow.broker.session;

import winnow.broker.security.Authenticator;
import winnow.broker.subscription.DeliveryTarget;
import winnow.wire.frame.ControlFrame;

/// Output of a connection, whatever its protocol: answers and deliveries come as values, and the
/// output of the protocol makes bytes of them. What is written leaves together: at the end of the
/// loop's iteration if an answer is among it, else when it is the connection's turn. Owned by the
/// connection's event loop.
public interface Output extends DeliveryTarget {
    @Override
    SessionLoop loop();

    /// Reading side of the same connection.
    ClientInput input();

    /// Writes an answer. It leaves at the end of this iteration.
    void write(ControlFrame frame);

    /// Gives a producer credit. The client is told by [#flushCredit].
    ///
    /// @param handle of the destination
    void grant(int handle, int bytes);

    /// Tells the client of the credit that was granted, if there is any. It leaves at the end of
    /// this iteration.
    void flushCredit();

    /// Delivers a message to a consumer of a session. A large one is copied piece by piece, and
    /// what is written meanwhile comes behind it.
    ///
    /// @param delivery number by which the client acknowledges it, 0 for a browser
    /// @param earlierDeliveries of the same message
    /// @param block not changed until it has been copied
    /// @param copied called then, perhaps at once; not at all if the connection ends before
    /// @return false if there is no memory for it now; the connection's deliveries are drained when
    ///   there is
    boolean deliverStored(
            int consumer, long delivery, int earlierDeliveries, byte[] block, Runnable copied);

    /// Delivers the beginning of a message whose body follows in parts, as [#deliverStored].
    ///
    /// @param head the block up to the body
    boolean deliverInParts(
            int consumer,
            long delivery,
            int earlierDeliveries,
            int bodyBytes,
            byte[] head,
            Runnable copied);

    /// Delivers the next part of a body, as [#deliverStored].
    boolean deliverPart(int consumer, byte[] part, Runnable copied);

    /// Sends what is pending, then closes the connection; nothing is read any more.
    void closeAfterFlush();

    /// Says who the client is, for people: in the log, in the API and in what producers are told.
    ///
    /// @param application empty if unknown
    void identify(long connectionId, String clientId, String application);

    /// Number of bytes that the socket still has to take, less what it has taken of the first of
    /// them: 0 if there is nothing, and another number whenever it has taken some.
    long socketProgress();

    /// Sets how many bytes the socket may hold before it takes no more deliveries.
    void limitBytes(int bytes);

    /// Closes the connection at once, whatever is pending.
    void closeNow();

    /// Address of the client, without its port.
    String address();

    /// The same, and what TLS says of the client.
    Authenticator.Peer peer();

    /// True if anything was written since the last call.
    boolean wroteSinceLastAsked();
}
