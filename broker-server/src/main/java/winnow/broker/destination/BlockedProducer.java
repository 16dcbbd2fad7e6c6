package winnow.broker.destination;

/// A producer's handle whose credit is held back.
@FunctionalInterface
public interface BlockedProducer {
    /// The reason has gone: try again. Any thread.
    void onUnblocked();
}
