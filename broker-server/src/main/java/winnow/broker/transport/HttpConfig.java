package winnow.broker.transport;

import java.time.Duration;

/// The HTTP port.
///
/// @param maxConnections connections that may be open at the same time, so that they leave file
///   descriptors for clients; when all are in use, a new one replaces the one that has sent no
///   whole request for longest, and if there is none it is answered about health only
/// @param receiveTimeout time that a connection has to send a whole request, from its start or its
///   previous answer on, however much it sends meanwhile
/// @param requestTimeout time that the answer to a request has to be made and read
/// @param stallTimeout `/health/ready` fails when an event loop has not run for so long
public record HttpConfig(
        int maxConnections,
        Duration receiveTimeout,
        Duration requestTimeout,
        Duration stallTimeout) {
    public static final HttpConfig DEFAULTS =
            new HttpConfig(
                    100, Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(5));

    public HttpConfig {
        require("max-connections", maxConnections, 1, 10_000);
        require("receive-timeout", receiveTimeout.toMillis(), 1, 3_600_000);
        require("request-timeout", requestTimeout.toMillis(), 1, 3_600_000);
        require("stall-timeout", stallTimeout.toMillis(), 1, 3_600_000);
    }

    private static void require(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    key + ": expected " + min + " to " + max + ", found " + value);
        }
    }
}
