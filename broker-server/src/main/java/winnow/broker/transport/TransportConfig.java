package winnow.broker.transport;

import java.time.Duration;
import winnow.broker.config.ByteSize;
import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;
import winnow.wire.Protocol;

/// Sockets and event loops.
public record TransportConfig(
        @Setting(
                        "address of both ports; beyond loopback `security.users` or"
                                + " `security.tokens.issuer` must be set")
                String bind,
        @Setting(value = "port of clients, 0 for any", unit = "port", min = "0", max = "65535")
                int port,
        @Setting(
                        value = "threads that read, route and write",
                        unit = "threads",
                        min = "1",
                        max = "1024",
                        // On two processors one loop batches better than two.
                        zero = "half of the processors, at least 1",
                        effective = "effectiveEventLoops")
                int eventLoops,
        @Setting(
                        value = "longest frame that a client may send",
                        min = "8KiB",
                        max = "1GiB",
                        zero = "16MiB, or a sixteenth of the largest heap if that is" + " less",
                        effective = "effectiveMaxFrameBytes")
                ByteSize maxFrame,
        @Setting(
                        value =
                                "bytes of frames that have not arrived whole, of all"
                                        + " connections together; at least twice"
                                        + " `transport.max-frame`",
                        zero = "an eighth of the largest heap",
                        effective = "effectiveFrameBufferBytes")
                ByteSize frameBuffer,
        @Setting(
                        value = "connections of clients that may be open at the same time",
                        unit = "connections",
                        min = "1",
                        max = "1000000",
                        zero =
                                "10000, or as many as take an eighth of the largest heap at"
                                        + " 6 KiB each if that is less",
                        effective = "effectiveMaxConnections",
                        reloadable = true)
                int maxConnections,
        @Setting(
                        value =
                                "those of them from the same address; an IPv6 network of 64 bits"
                                        + " counts as one",
                        unit = "connections",
                        min = "1",
                        max = "1000000",
                        zero = "nine tenths of `transport.max-connections`",
                        effective = "effectiveMaxConnectionsPerAddress",
                        reloadable = true)
                int maxConnectionsPerAddress,
        @Setting(
                        value =
                                "bytes that the kernel holds for a client in each direction"
                                        + " (SO_SNDBUF, SO_RCVBUF); a wide-area network needs its"
                                        + " bandwidth times its delay",
                        min = "4KiB",
                        max = "1GiB",
                        zero = "what the kernel chooses, which grows with the need")
                ByteSize socketBuffer,
        @Setting(
                        "whether small writes to clients leave at once (TCP_NODELAY) instead of"
                                + " waiting for the client to confirm earlier ones")
                boolean tcpNoDelay,
        @Setting(
                        value =
                                "time after connecting that a client has to send its first byte,"
                                        + " which Winnow's client does at once; then the connection"
                                        + " is closed, so that silent sockets do not keep others"
                                        + " out",
                        min = "1ms",
                        max = "60m",
                        reloadable = true)
                Duration firstByteTimeout,
        @Setting(
                        value = "time that a client has for the handshake",
                        min = "1ms",
                        max = "60m",
                        reloadable = true)
                Duration handshakeTimeout,
        @Setting(
                        value =
                                "time that consumers have to take what waits when the"
                                        + " broker stops",
                        min = "0s",
                        max = "60m",
                        reloadable = true)
                Duration drainTimeout) {
    public static final TransportConfig DEFAULTS =
            new TransportConfig(
                    "127.0.0.1",
                    61_616,
                    0,
                    new ByteSize(0),
                    new ByteSize(0),
                    0,
                    0,
                    new ByteSize(0),
                    true,
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5));

    private static final int MAX_CONNECTIONS = 10_000;

    /// Part of the largest heap that connections may take by themselves.
    private static final int CONNECTIONS_HEAP_PART = 8;

    /// The same where more are allowed.
    private static final int CONNECTIONS_MOST_HEAP_PART = 4;

    /// Heap of a connection that has said hello and registered nothing.
    static final int CONNECTION_BYTES = 6 * 1024;

    public TransportConfig {
        Ranges.check(
                TransportConfig.class,
                bind,
                port,
                eventLoops,
                maxFrame,
                frameBuffer,
                maxConnections,
                maxConnectionsPerAddress,
                socketBuffer,
                tcpNoDelay,
                firstByteTimeout,
                handshakeTimeout,
                drainTimeout);
        if (frameBuffer.bytes() > 0 && frameBuffer.bytes() < 2L * maxFrameBytes(maxFrame)) {
            throw new IllegalArgumentException(
                    "frame-buffer: expected at least %s, twice transport.max-frame, found %s"
                            .formatted(new ByteSize(2L * maxFrameBytes(maxFrame)), frameBuffer));
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
                : Math.max(Runtime.getRuntime().maxMemory() / 8, 2L * effectiveMaxFrameBytes());
    }

    /// The limit of connections in force.
    public int effectiveMaxConnections() {
        long fitting = Runtime.getRuntime().maxMemory() / CONNECTIONS_HEAP_PART / CONNECTION_BYTES;
        return maxConnections > 0 ? maxConnections : Math.clamp(fitting, 1, MAX_CONNECTIONS);
    }

    /// Heap that connections may take by themselves, however many are allowed.
    static long connectionHeapBytes() {
        return Runtime.getRuntime().maxMemory() / CONNECTIONS_MOST_HEAP_PART;
    }

    /// The limit of connections from one address in force.
    public int effectiveMaxConnectionsPerAddress() {
        int all = effectiveMaxConnections();
        return maxConnectionsPerAddress > 0 ? maxConnectionsPerAddress : all - all / 10;
    }

    /// The number of event loops in force.
    public int effectiveEventLoops() {
        return eventLoops > 0
                ? eventLoops
                : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }
}
