package winnow.broker.subscription;

import winnow.broker.fault.FaultOwner;

/// Target of the deliveries of a connection's subscriptions. Implemented by the transport; owned by
/// the connection's event loop. A fault of a delivery closes the connection.
public interface DeliveryTarget extends FaultOwner, Publisher {
    /// The loop that owns the connection.
    Loop loop();

    /// False while the socket takes no more and its output must not grow.
    boolean writable();

    /// True if a message may be delivered now. If not, it waits, and the target drains what waits
    /// when it can take more.
    ///
    /// @param message its number ([Loop#numberMessages])
    default boolean takes(long message, int blockBytes) {
        return writable();
    }

    /// Appends one delivery frame.
    ///
    /// @param message its number ([Loop#numberMessages]): the same message may share a frame
    /// @param array holds the message block from `start` to `end`; borrowed, but for a block of
    ///   more than [winnow.wire.FrameSplitter#SCRATCH_BYTES], which must never be changed
    void deliver(long message, int subscriptionId, byte[] array, int start, int end);

    /// So many copies that were delivered just now are of messages that were read then: how long
    /// they stayed is to be measured when they leave.
    default void sampleDwell(long readNanos, int copies) {}

    /// Place that was set last; for who sorts deliveries by their targets.
    int place();

    /// Sets what [#place] tells.
    void place(int newPlace);

    /// Tells the client property names up to this number, as far as the socket takes them.
    ///
    /// @return whether it knows them all before what follows; if not, to be called again when the
    ///   socket takes bytes again
    boolean announceNames(int maxNameId);
}
