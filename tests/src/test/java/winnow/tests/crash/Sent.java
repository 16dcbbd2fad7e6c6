package winnow.tests.crash;

import java.util.List;

/// A message that was sent. Its fate is written by who sends it.
final class Sent {
    /// What is known of a message.
    enum Fate {
        /// It may arrive or not.
        IN_DOUBT,

        /// It was confirmed.
        KEPT,

        /// It must not arrive.
        DROPPED
    }

    private final MessageKey key;
    private final List<Outlet> outlets;
    private final int kind;
    private final boolean persistent;
    private final long transaction;
    private final int connection;
    private final int epoch;

    volatile Fate fate = Fate.IN_DOUBT;

    Sent(
            MessageKey key,
            List<Outlet> outlets,
            int kind,
            boolean persistent,
            long transaction,
            int connection,
            int epoch) {
        this.key = key;
        this.outlets = outlets;
        this.kind = kind;
        this.persistent = persistent;
        this.transaction = transaction;
        this.connection = connection;
        this.epoch = epoch;
    }

    MessageKey key() {
        return key;
    }

    /// Where it arrives.
    List<Outlet> outlets() {
        return outlets;
    }

    int kind() {
        return kind;
    }

    boolean persistent() {
        return persistent;
    }

    /// By which it was sent, 0 for none.
    long transaction() {
        return transaction;
    }

    /// By which of its sender's connections it was sent.
    int connection() {
        return connection;
    }

    /// Number of times that the broker had been killed when it was sent.
    int epoch() {
        return epoch;
    }

    boolean mustArrive() {
        return persistent && fate == Fate.KEPT;
    }
}
