package winnow.broker.transport;

import java.time.Duration;
import winnow.broker.config.ByteSize;
import winnow.wire.Protocol;

/// Sockets and event loops.
///
/// @param eventLoops threads that read, route and write; 0 means half of the processors, at least 1
///   (on two processors one loop batches better than two)
/// @param maxFrame longest frame that a client may send; 0 means 16 MiB, or a sixteenth of the
///   largest heap if that is less
/// @param frameBuffer bytes of frames that have not arrived whole, of all connections together, at
///   least twice `max-frame`; 0 means a quarter of the largest heap
/// @param maxConnections connections that may be open at the same time
/// @param handshakeTimeout time that a client has for the handshake
/// @param drainTimeout time that consumers have to take what waits when the broker stops
public record TransportConfig(
        int eventLoops,
        ByteSize maxFrame,
        ByteSize frameBuffer,
        int maxConnections,
        Duration handshakeTimeout,
        Duration drainTimeout) {
    public static final TransportConfig DEFAULTS =
            new TransportConfig(
                    0,
                    new ByteSize(0),
                    new ByteSize(0),
                    10_000,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5));

    public TransportConfig {
        require("event-loops", eventLoops, 0, 1024);
        if (maxFrame.bytes() > 0) {
            require("max-frame", maxFrame.bytes(), Protocol.MAX_HANDSHAKE_FRAME_BYTES, 1L << 30);
        }
        if (frameBuffer.bytes() > 0) {
            long least = 2L * maxFrameBytes(maxFrame);
            require("frame-buffer", frameBuffer.bytes(), least, Long.MAX_VALUE);
        }
        require("max-connections", maxConnections, 1, 1_000_000);
        require("handshake-timeout", handshakeTimeout.toMillis(), 1, 3_600_000);
        require("drain-timeout", drainTimeout.toMillis(), 0, 3_600_000);
    }

    private static void require(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    key + ": expected " + min + " to " + max + ", found " + value);
        }
    }

    /// The longest frame in force, in bytes.
    public int effectiveMaxFrameBytes() {
        return maxFrameBytes(maxFrame);
    }

    private static int maxFrameBytes(ByteSize maxFrame) {
        return maxFrame.bytes() > 0
                ? maxFrame.toInt()
                : Math.clamp(
                        Runtime.getRuntime().maxMemory() / 16,
                        Protocol.MAX_HANDSHAKE_FRAME_BYTES,
                        Protocol.DEFAULT_MAX_FRAME_BYTES);
    }

    /// The limit of frames that have not arrived whole in force, in bytes.
    public long effectiveFrameBufferBytes() {
        return frameBuffer.bytes() > 0
                ? frameBuffer.bytes()
                : Math.max(Runtime.getRuntime().maxMemory() / 4, 2L * effectiveMaxFrameBytes());
    }

    /// The number of event loops in force.
    public int effectiveEventLoops() {
        return eventLoops > 0
                ? eventLoops
                : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }
}
