package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The HTTP port of a real broker, asked over plain sockets.
class HttpPortTest {
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final String HTTP_REFUSED = "winnow_http_connections_refused_total";

    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private Socket connect(Broker broker) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(broker.httpAddress(), TIMEOUT_MILLIS);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String all(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    private static Broker start(Map<String, String> settings) throws IOException {
        return new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    @Test
    void shouldAnswerWhileIdleConnectionsFillThePort() throws IOException {
        // given, with time-outs that play no part
        try (Broker broker = start(Map.of("http.receive-timeout", "60m"))) {
            for (int i = 0; i < 300; i++) {
                send(connect(broker), "GET /health");
            }

            // when
            Socket health = connect(broker);
            send(health, get("/health/live"));
            health.shutdownOutput();

            // then
            assertThat(all(health)).startsWith("HTTP/1.1 200 OK").endsWith("live\n");
            assertThat(BrokerPages.metric(broker, HTTP_REFUSED).orElse(0)).isBetween(200.0, 205.0);
        }
    }

    @Test
    void shouldAnswerAboutHealthWhileNobodyReadsHisAnswers() throws IOException {
        Map<String, String> settings =
                Map.of(
                        "http.max-connections", "4",
                        "http.receive-timeout", "60m",
                        "http.request-timeout", "60m");
        try (Broker broker = start(settings);
                TestClient client = TestClient.connect(broker)) {
            // given answers that fill the sockets
            for (int i = 1; i <= 10; i++) {
                client.subscribe(i, "t", "x = " + i + " ".repeat(60_000), "");
            }
            for (int i = 0; i < 4; i++) {
                Socket greedy = connect(broker);
                send(greedy, get("/api/v1/topics/t/subscriptions").repeat(16));
                assertThat(greedy.getInputStream().read()).isEqualTo('H');
            }

            // when
            Socket metrics = connect(broker);
            send(metrics, get("/metrics"));
            assertThat(all(metrics))
                    .startsWith("HTTP/1.1 503 ")
                    .endsWith("http.max-connections is 4, all are in use\n");
            for (int i = 0; i < 100; i++) {
                connect(broker);
            }
            Socket health = connect(broker);
            send(health, get("/health/ready"));

            // then
            assertThat(all(health)).startsWith("HTTP/1.1 200 OK").endsWith("ready\n");
        }
    }

    @Test
    void shouldAnswerAClientThatHasShutItsOutputDown() throws IOException {
        try (Broker broker = start(Map.of());
                TestClient client = TestClient.connect(broker)) {
            client.subscribe(1, "t", "x = 1", "");
            for (int i = 0; i < 20; i++) {
                // when
                Socket socket = connect(broker);
                send(socket, get("/api/v1/topics/t/subscriptions"));
                socket.shutdownOutput();

                // then
                assertThat(all(socket)).startsWith("HTTP/1.1 200 OK").contains("x = 1");
            }
        }
    }

    /// The rest of the body comes too slowly, or never.
    @Test
    void shouldCloseAConnectionWhoseBodyDoesNotCome() throws IOException {
        try (Broker broker = start(Map.of("http.receive-timeout", "1s"))) {
            // when
            Socket socket = connect(broker);
            send(socket, put(100) + "{");

            // then
            assertThat(all(socket)).isEmpty();
        }
    }

    @Test
    void shouldTellAClientThatIsStillSendingThatItsBodyIsTooLong() throws IOException {
        try (Broker broker = start(Map.of())) {
            // when the length is said, or not
            Socket said = connect(broker);
            send(said, put(200_000) + "x".repeat(200_000));
            Socket chunks = connect(broker);
            send(
                    chunks,
                    put(0).replace("Content-Length: 0", "Transfer-Encoding: chunked")
                            + ("1000\r\n" + "x".repeat(0x1000) + "\r\n").repeat(5));

            // then
            for (Socket one : List.of(said, chunks)) {
                assertThat(all(one))
                        .startsWith("HTTP/1.1 413 ")
                        .contains("expected a body of at most 16384 bytes, found a longer one");
            }
        }
    }

    private static String put(int bytes) {
        return "PUT /api/v1/users/ann HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                + bytes
                + "\r\nContent-Type: application/json\r\n\r\n";
    }

    @Test
    void shouldTellAClientThatIsStillSendingThatItsHeadersAreTooLong() throws IOException {
        try (Broker broker = start(Map.of())) {
            // when
            Socket socket = connect(broker);
            send(socket, "GET /metrics HTTP/1.1\r\nCookie: " + "x".repeat(200_000) + "\r\n\r\n");

            // then
            assertThat(all(socket)).startsWith("HTTP/1.1 431 ");
        }
    }
}
