package winnow.client.transport;

import java.util.concurrent.TimeUnit;
import winnow.wire.ControlFrame;
import winnow.wire.ErrorCode;

/// Keeps one connection from falling silent and notices when the broker has (docs/PROTOCOL.md,
/// "Heartbeats"). Looks twice an interval. Owned by the event loop, except [#onRead].
final class Heartbeat implements Runnable {
    private final WireConnection connection;
    private final Output output;
    private final long intervalNanos;
    private volatile long lastReadNanos = System.nanoTime();

    Heartbeat(WireConnection connection, Output output, int intervalMillis) {
        this.connection = connection;
        this.output = output;
        intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
    }

    /// How often [#run] wants to run.
    long periodNanos() {
        return Math.max(1, intervalNanos / 2);
    }

    /// Something was read. Any thread.
    void onRead() {
        lastReadNanos = System.nanoTime();
    }

    @Override
    public void run() {
        long now = System.nanoTime();
        if (now - lastReadNanos > 2 * intervalNanos) {
            connection.onBroken(
                    new TransportException(
                            ErrorCode.HEARTBEAT_TIMEOUT,
                            "expected the broker to say something every %d ms, heard nothing for %d"
                                    .formatted(
                                            TimeUnit.NANOSECONDS.toMillis(intervalNanos),
                                            TimeUnit.NANOSECONDS.toMillis(now - lastReadNanos))));
        } else if (now - output.socket().lastWriteNanos() >= periodNanos()
                && output.socket().isEmpty()) {
            connection.writeQuietly(new ControlFrame.Heartbeat());
        }
    }
}
