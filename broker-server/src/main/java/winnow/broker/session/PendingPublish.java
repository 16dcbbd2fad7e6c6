package winnow.broker.session;

/// A message that is to be confirmed and is on its way to its recipients or into the storage. Owned
/// by the connection's event loop.
interface PendingPublish {
    /// Among the messages that are to be confirmed.
    long number();

    /// True once that has been done, or refused.
    boolean done();
}
