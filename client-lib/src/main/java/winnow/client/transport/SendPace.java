package winnow.client.transport;

import java.util.concurrent.TimeUnit;

/// Tells a connection that publishes now and then from one that publishes as fast as it can. On the
/// first, a publishing thread does best to write the socket itself; on the second, that would be
/// one system call per message instead of one per batch. Not thread-safe: guarded by the lock of
/// [SendBuffer].
///
/// A connection begins quiet. A publish that follows a write by less than [#BUSY_NANOS] makes it
/// busy; [#QUIET_WRITES] writes in a row that carried one publish each, [#QUIET_NANOS] or more
/// apart, make it quiet again. A busy connection asks no clock per message.
final class SendPace {
    /// About twice what one write of a small message takes.
    static final long BUSY_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

    static final long QUIET_NANOS = TimeUnit.MICROSECONDS.toNanos(20);

    static final int QUIET_WRITES = 8;

    private boolean quiet = true;
    private int publishes;
    private int singleWrites;

    /// Counts a publish that was appended.
    void onPublish() {
        publishes++;
    }

    boolean isQuiet() {
        return quiet;
    }

    /// Learns the time between the last write and a publish on a quiet connection.
    ///
    /// @return whether the connection still is quiet
    boolean isQuietAfter(long nanosSinceWrite) {
        quiet = nanosSinceWrite >= BUSY_NANOS;
        return quiet;
    }

    /// Learns of a write of all publishes that were appended since the one before.
    void onWrite(long nanosSinceWrite) {
        if (publishes > 1 || (publishes == 1 && nanosSinceWrite < QUIET_NANOS)) {
            singleWrites = 0;
        } else if (publishes == 1 && !quiet) {
            singleWrites++;
            if (singleWrites >= QUIET_WRITES) {
                quiet = true;
                singleWrites = 0;
            }
        }
        publishes = 0;
    }
}
