package winnow.tests.crash;

/// Life of the connection of a client.
enum ClientLife {
    /// Until the client leaves, or its broker is killed; then it makes another one.
    SHORT(false, false),

    /// As [#SHORT], and its line breaks now and then.
    BREAKING(true, false),

    /// As long as the client, which knows nothing of what becomes of its broker.
    LASTING(false, true),

    /// As [#LASTING], with heartbeats after which a broker that pauses counts as lost.
    LASTING_IMPATIENT(false, true),

    /// As [#LASTING_IMPATIENT], with brokers whose disks may be full, and at a pace at which the
    /// history of hours fits into memory.
    CLUSTERED(false, true),

    /// As [#LASTING], and its line breaks now and then.
    LASTING_BREAKING(true, true);

    private final boolean breaks;
    private final boolean lasts;

    ClientLife(boolean breaks, boolean lasts) {
        this.breaks = breaks;
        this.lasts = lasts;
    }

    boolean breaks() {
        return breaks;
    }

    boolean lasts() {
        return lasts;
    }

    /// True if a broker that pauses counts as lost.
    boolean impatient() {
        return this == LASTING_IMPATIENT || this == CLUSTERED;
    }
}
