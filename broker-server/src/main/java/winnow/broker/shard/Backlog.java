package winnow.broker.shard;

/// Limits of what may wait in a queue, or in each stored subscription of a topic.
///
/// @param maxMessages messages that are not acknowledged; 0 for no limit
/// @param maxBytes bytes of these; 0 for no limit
/// @param overflow what happens when there are more
public record Backlog(long maxMessages, long maxBytes, Overflow overflow) {
    /// A hundred million messages or 64 GiB; more are refused.
    public static final Backlog DEFAULTS = new Backlog(100_000_000, 64L << 30, Overflow.REFUSE);

    /// Treatment of messages that are too many.
    public enum Overflow {
        /// The sender of one is told that it was not taken.
        REFUSE,

        /// The oldest that nobody has received goes.
        DROP_OLDEST,

        /// The oldest that nobody has received goes to the dead-letter queue.
        BURY_OLDEST
    }

    public Backlog {
        if (maxMessages < 0 || maxBytes < 0) {
            throw new IllegalArgumentException(
                    "backlog: expected limits that are not negative, found "
                            + maxMessages
                            + " messages and "
                            + maxBytes
                            + " bytes");
        }
    }

    /// True if there is no room for one more.
    boolean full(StoredSubscription subscription) {
        return (maxMessages > 0 && subscription.messages() >= maxMessages)
                || (maxBytes > 0 && subscription.bytes() >= maxBytes);
    }

    /// True if so many bytes have room, or make room for themselves.
    boolean fits(StoredSubscription subscription, long bytes) {
        return overflow != Overflow.REFUSE
                || maxBytes == 0
                || subscription.bytes() + bytes <= maxBytes;
    }

    /// Number of the oldest that are too many, as far as that can be told without reading them.
    long excess(StoredSubscription subscription) {
        long messages = subscription.messages();
        long tooMany = maxMessages > 0 ? Math.max(0, messages - maxMessages) : 0;
        long bytes = subscription.bytes();
        if (maxBytes > 0 && bytes > maxBytes) {
            long each = Math.max(1, bytes / messages);
            tooMany = Math.max(tooMany, Math.ceilDiv(bytes - maxBytes, each));
        }
        return tooMany;
    }

    /// For people.
    String describe(StoredSubscription subscription) {
        return subscription
                + " is full: it has "
                + subscription.messages()
                + " messages of "
                + subscription.bytes()
                + " bytes, its limits are "
                + (maxMessages > 0 ? maxMessages + " messages" : "any number of messages")
                + " and "
                + (maxBytes > 0 ? maxBytes + " bytes" : "any number of bytes");
    }
}
