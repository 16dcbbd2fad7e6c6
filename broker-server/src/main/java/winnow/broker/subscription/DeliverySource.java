package winnow.broker.subscription;

/// The deliveries that wait for one subscription, in order: of messages in memory ([Backlog]),
/// later also of stored ones. Owned by the subscription's event loop.
interface DeliverySource {
    boolean isEmpty();

    /// Messages that wait.
    int messages();

    /// Bytes of their [winnow.wire.FrameType#DELIVERY] frames.
    long bytes();

    /// The oldest message; there is one. Valid until this source or another of the same loop is
    /// called.
    WaitingMessage first();

    /// Takes the oldest message away; there is one.
    void removeFirst();

    /// Takes all away.
    void clear();
}
