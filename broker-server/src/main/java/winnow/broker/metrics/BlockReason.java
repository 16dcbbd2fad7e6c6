package winnow.broker.metrics;

/// Reason why a producer's credit is held back.
public enum BlockReason {
    /// One subscription has more waiting than `subscription.buffer`.
    SUBSCRIPTION_BUFFER,
    /// All together have more waiting than `subscription.total-buffer`.
    TOTAL_BUFFER,
    /// Another event loop lags behind.
    LOOP_LAG
}
