package winnow.broker.shard;

/// Rules of a destination.
///
/// @param redelivery what happens after failed attempts
/// @param backlog how much may wait in its queue, or in each of its subscriptions
/// @param maxTimeToLiveMillis messages that would live longer expire after that time; 0 for no
///   limit
/// @param maxMessageBytes longest message
/// @param buriesExpired whether expired messages go to the dead-letter queue instead of being
///   dropped
public record Policy(
        Redelivery redelivery,
        Backlog backlog,
        long maxTimeToLiveMillis,
        int maxMessageBytes,
        boolean buriesExpired) {
    /// Longest message by default: 1 GiB.
    private static final int MAX_MESSAGE_BYTES = 1 << 30;

    public static final Policy DEFAULTS =
            new Policy(Redelivery.DEFAULTS, Backlog.DEFAULTS, 0, MAX_MESSAGE_BYTES, false);

    public Policy {
        if (maxTimeToLiveMillis < 0) {
            throw new IllegalArgumentException(
                    "expected a time to live that is not negative, found " + maxTimeToLiveMillis);
        }
        if (maxMessageBytes < 1) {
            throw new IllegalArgumentException(
                    "expected a longest message of at least 1 byte, found " + maxMessageBytes);
        }
    }

    public Policy withRedelivery(Redelivery other) {
        return new Policy(other, backlog, maxTimeToLiveMillis, maxMessageBytes, buriesExpired);
    }

    public Policy withBacklog(Backlog other) {
        return new Policy(redelivery, other, maxTimeToLiveMillis, maxMessageBytes, buriesExpired);
    }

    public Policy withMaxTimeToLiveMillis(long millis) {
        return new Policy(redelivery, backlog, millis, maxMessageBytes, buriesExpired);
    }

    public Policy withMaxMessageBytes(int bytes) {
        return new Policy(redelivery, backlog, maxTimeToLiveMillis, bytes, buriesExpired);
    }

    public Policy withBuriesExpired(boolean buries) {
        return new Policy(redelivery, backlog, maxTimeToLiveMillis, maxMessageBytes, buries);
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
