package winnow.broker.shard;

/// Limits of what may be prepared and wait for a decision.
///
/// @param transactions so many at most
/// @param bytes that they take on the heap at most
public record PreparedLimits(int transactions, long bytes) {
    public static final PreparedLimits DEFAULTS = new PreparedLimits(1000, 64L << 20);
}
