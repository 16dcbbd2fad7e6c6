package winnow.broker.metrics;

/// Reason why a copy of a message reached no consumer.
public enum DropReason {
    /// The policy of its topic drops what a slow consumer leaves waiting.
    SLOW_CONSUMER,
    /// Its subscription ended while the copy waited.
    SUBSCRIPTION_CLOSED
}
