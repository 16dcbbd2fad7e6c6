package winnow.store;

/// The tables of a shard. Rows are ordered by their keys, compared byte by byte, unsigned. The
/// number of a table is part of the stored format: it never changes and is never given again.
public enum Table {
    /// Version of the format and the like.
    META(0),

    /// Queues and topics.
    DESTINATIONS(1),

    /// Durable subscriptions, and that of each queue.
    SUBSCRIPTIONS(2),

    /// Of each message all but a large body.
    HEADERS(3),

    /// Large bodies.
    BODIES(4),

    /// Progress of each subscription.
    PROGRESS(5),

    /// Messages that each subscription has acknowledged beyond that.
    ACKNOWLEDGED(6),

    /// Number of times that messages were delivered that were not acknowledged then.
    DELIVERIES(7),

    /// Identifiers of messages that came lately, to recognise a message that is sent again.
    DUPLICATES(8),

    /// Prepared transactions.
    PREPARED(9),

    /// Names of properties by the numbers that messages use for them.
    NAMES(10),

    /// Rows of messages that are not what was written, as they were found.
    QUARANTINED(11),

    /// Bodies that came in parts, by the number of the body and that of the part.
    PARTS(12),

    /// Numbers of the publishes of each instance of a client that were taken, to recognise those
    /// that it sends again.
    INSTANCES(13);

    private static final Table[] BY_NUMBER = values();

    private final int number;

    Table(int number) {
        this.number = number;
    }

    /// Number in the stored format.
    public int number() {
        return number;
    }

    /// The table with that number.
    ///
    /// @throws IllegalArgumentException if there is none
    public static Table ofNumber(int number) {
        if (number < 0 || number >= BY_NUMBER.length) {
            throw new IllegalArgumentException(
                    "expected a table from 0 to " + (BY_NUMBER.length - 1) + ", found " + number);
        }
        return BY_NUMBER[number];
    }
}
