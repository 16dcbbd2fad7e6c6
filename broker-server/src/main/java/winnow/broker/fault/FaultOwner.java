package winnow.broker.fault;

/// Owner of a callback, such as a connection.
@FunctionalInterface
public interface FaultOwner {
    /// A callback of this owner failed: it cannot be relied on any more and is closed. Called on
    /// the thread of the callback.
    void onFault(Throwable fault);
}
