package winnow.broker.transport;

import java.nio.file.Path;
import java.time.Duration;
import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;

/// The HTTP port, and the socket with the same pages.
public record HttpConfig(
        @Setting(
                        value = "port of metrics, health and the API, 0 for any",
                        unit = "port",
                        min = "0",
                        max = "65535")
                int port,
        @Setting(
                        "socket (Unix domain) by which commands on this machine ask the broker"
                                + " without credentials, its file in a directory that is there;"
                                + " for the broker's account and root alone; empty for none")
                Path socket,
        @Setting(
                        value =
                                "HTTP connections that may be open at the same time;"
                                        + " when all are in use, a new one replaces the one that"
                                        + " has sent no whole request for longest, and if there"
                                        + " is none it is answered about health only",
                        unit = "connections",
                        min = "1",
                        max = "10000")
                int maxConnections,
        @Setting(
                        value =
                                "time that an HTTP connection has to send a whole"
                                        + " request, from its start or its previous answer on,"
                                        + " however much it sends meanwhile",
                        min = "1ms",
                        max = "60m")
                Duration receiveTimeout,
        @Setting(
                        value =
                                "time that the answer to an HTTP request has to be made"
                                        + " and read",
                        min = "1ms",
                        max = "60m")
                Duration requestTimeout,
        @Setting(
                        value =
                                "`/health/ready` fails when an event loop has not run or the"
                                        + " store's disk has completed nothing for so long",
                        min = "1ms",
                        max = "60m")
                Duration stallTimeout) {
    public static final HttpConfig DEFAULTS =
            new HttpConfig(
                    8161,
                    Path.of(""),
                    100,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(5));

    public HttpConfig {
        Ranges.check(
                HttpConfig.class,
                port,
                socket,
                maxConnections,
                receiveTimeout,
                requestTimeout,
                stallTimeout);
    }
}
