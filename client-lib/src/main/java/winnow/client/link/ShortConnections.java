package winnow.client.link;

import java.util.concurrent.TimeUnit;

/// Counts the connections, one after the other, that were made after a loss and lost soon. Each is
/// like a failed attempt: the pause before the next one is longer. Thread-safe.
final class ShortConnections {
    private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /// When the last connection after a loss came into use.
    private long usedNanos = System.nanoTime() - SHORT_NANOS;

    private int count;

    /// A connection after a loss comes into use.
    ///
    /// @param nanos now, as [System#nanoTime]
    synchronized void onUsed(long nanos) {
        usedNanos = nanos;
    }

    /// A connection after a loss was lost before it came into use.
    synchronized void onUnused() {
        count++;
    }

    /// The connection in use is lost.
    ///
    /// @param nanos now, as [System#nanoTime]
    synchronized void onLost(long nanos) {
        count = nanos - usedNanos < SHORT_NANOS ? count + 1 : 0;
    }

    synchronized int count() {
        return count;
    }
}
