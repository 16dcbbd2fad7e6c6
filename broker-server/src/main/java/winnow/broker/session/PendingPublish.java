package winnow.broker.session;

/// A message on its way into the storage that is to be confirmed. Owned by the connection's event
/// loop.
interface PendingPublish {
    /// Among the messages that are to be confirmed.
    long number();

    /// Whether the storage has answered.
    boolean done();
}
