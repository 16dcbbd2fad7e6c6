package winnow.broker.transport;

import java.time.Duration;

/// The HTTP port.
///
/// @param maxConnections connections that may be open at the same time, so that they leave file
///   descriptors for clients
/// @param requestTimeout time that a connection has for a request and its answer, from its start or
///   its previous answer on, however much it sends meanwhile
public record HttpConfig(int maxConnections, Duration requestTimeout) {
    public static final HttpConfig DEFAULTS = new HttpConfig(100, Duration.ofSeconds(30));

    public HttpConfig {
        require("max-connections", maxConnections, 1, 10_000);
        require("request-timeout", requestTimeout.toMillis(), 1, 3_600_000);
    }

    private static void require(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    key + ": expected " + min + " to " + max + ", found " + value);
        }
    }
}
