package winnow.broker.shard;

/// Rules of a destination.
///
/// @param redelivery what happens after failed attempts
/// @param backlog how much may wait in its queue, or in each of its subscriptions
/// @param maxTimeToLiveMillis messages that would live longer expire after that time; 0 for no
///   limit
/// @param buriesExpired whether expired messages go to the dead-letter queue instead of being
///   dropped
public record Policy(
        Redelivery redelivery, Backlog backlog, long maxTimeToLiveMillis, boolean buriesExpired) {
    public static final Policy DEFAULTS =
            new Policy(Redelivery.DEFAULTS, Backlog.DEFAULTS, 0, false);

    public Policy {
        if (maxTimeToLiveMillis < 0) {
            throw new IllegalArgumentException(
                    "expected a time to live that is not negative, found " + maxTimeToLiveMillis);
        }
    }

    public Policy withRedelivery(Redelivery other) {
        return new Policy(other, backlog, maxTimeToLiveMillis, buriesExpired);
    }

    public Policy withBacklog(Backlog other) {
        return new Policy(redelivery, other, maxTimeToLiveMillis, buriesExpired);
    }

    public Policy withMaxTimeToLiveMillis(long millis) {
        return new Policy(redelivery, backlog, millis, buriesExpired);
    }

    public Policy withBuriesExpired(boolean buries) {
        return new Policy(redelivery, backlog, maxTimeToLiveMillis, buries);
    }

    /// When a message expires, in ms since 1970; 0 for never.
    ///
    /// @param wanted as its sender wants it
    long expiration(long wanted, long nowMillis) {
        if (maxTimeToLiveMillis == 0) {
            return wanted;
        }
        long last = nowMillis + maxTimeToLiveMillis;
        return wanted == 0 ? last : Math.min(wanted, last);
    }
}
