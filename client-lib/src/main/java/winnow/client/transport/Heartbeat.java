package winnow.client.transport;

import java.util.concurrent.TimeUnit;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;

/// Keeps one connection from falling silent and notices when the broker has (docs/PROTOCOL.md,
/// "Heartbeats"): says what to do and when to ask again. Times are those of `System.nanoTime`.
/// Owned by the event loop, except [#onRead].
final class Heartbeat {
    /// Time for the event loop to read what has come while the process was held up.
    private static final long SECOND_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Action that is due.
    enum Act {
        NOTHING,
        SPEAK,
        GIVE_UP
    }

    private final long intervalNanos;
    private volatile long lastReadNanos;
    private boolean suspected;

    Heartbeat(int intervalMillis, long now) {
        intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
        lastReadNanos = now;
    }

    /// Something was read. Any thread.
    void onRead(long now) {
        lastReadNanos = now;
    }

    /// Says what is due. That nothing came for two intervals has to be seen twice, so that a
    /// process that stood still reads first.
    ///
    /// @param lastWriteNanos when something was written
    /// @param idle whether nothing waits to be written
    Act due(long now, long lastWriteNanos, boolean idle) {
        boolean silent = now - lastReadNanos >= 2 * intervalNanos;
        if (silent && suspected) {
            return Act.GIVE_UP;
        }
        suspected = silent;
        return idle && now - lastWriteNanos >= intervalNanos / 2 ? Act.SPEAK : Act.NOTHING;
    }

    /// Time until something may be due.
    long untilNextNanos(long now) {
        if (suspected) {
            return SECOND_LOOK_NANOS;
        }
        long untilSilent = lastReadNanos + 2 * intervalNanos - now;
        return Math.max(1, Math.min(intervalNanos / 2, untilSilent));
    }

    /// The reason to give up.
    TransportException silence(long now) {
        return new TransportException(
                ErrorCode.HEARTBEAT_TIMEOUT,
                "expected the broker to say something every %d ms, heard nothing for %d"
                        .formatted(
                                TimeUnit.NANOSECONDS.toMillis(intervalNanos),
                                TimeUnit.NANOSECONDS.toMillis(now - lastReadNanos)));
    }
}
