package winnow.broker.shard;

/// When a message that could not be processed is delivered again: after the first failed attempt at
/// once, before the messages behind it, as Session.recover and rollback promise; after each further
/// one it waits, and others pass by.
///
/// @param maxDeliveries so many failed attempts, then it goes to the dead-letter queue; 0 for no
///   limit
/// @param firstDelayMillis how long it waits after the second failed attempt
/// @param multiplier by which the delay grows with each further one, 1 or more
/// @param maxDelayMillis longest delay
public record Redelivery(
        int maxDeliveries, long firstDelayMillis, double multiplier, long maxDelayMillis) {
    /// Ten attempts within 64 s, so that a service that is away for a minute makes no dead letters:
    /// eight delays of 250 ms to 32 s.
    public static final Redelivery DEFAULTS = new Redelivery(10, 250, 2, 60_000);

    public Redelivery {
        if (maxDeliveries < 0 || firstDelayMillis < 0 || maxDelayMillis < 0) {
            throw new IllegalArgumentException(
                    "redelivery: expected numbers that are not negative, found "
                            + maxDeliveries
                            + " deliveries and delays of "
                            + firstDelayMillis
                            + " and "
                            + maxDelayMillis
                            + " ms");
        }
        if (!(multiplier >= 1)) {
            throw new IllegalArgumentException(
                    "redelivery: expected a multiplier of 1 or more, found " + multiplier);
        }
    }

    /// Time that a message waits, in ms.
    ///
    /// @param failures failed attempts so far, 1 or more
    long delayMillis(int failures) {
        if (failures <= 1) {
            return 0;
        }
        double delay = (double) firstDelayMillis * Math.pow(multiplier, failures - 2.0);
        return (long) Math.min(delay, (double) maxDelayMillis);
    }

    /// True if it is not delivered again.
    boolean exhausted(int failures) {
        return maxDeliveries > 0 && failures >= maxDeliveries;
    }
}
