package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.memory.BrokerHeap;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.transport.HttpServer.Response;

class HttpServerTest {
    private static final int CONNECTIONS = 20;
    private static final int TIMEOUT_MILLIS = 20_000;

    private final CountDownLatch released = new CountDownLatch(1);
    private final List<Socket> sockets = new ArrayList<>();
    private final HttpServer server =
            new HttpServer(
                    HttpConfig.DEFAULTS,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    Map.of(
                            "/slow",
                            _ -> {
                                await();
                                return now("slow");
                            },
                            "/health/live",
                            _ -> now("live")),
                    new BrokerCounters(),
                    BrokerHeap.unlimited(),
                    null);

    @AfterEach
    void stop() throws IOException {
        released.countDown();
        server.stop();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void await() {
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static CompletionStage<Response> now(String text) {
        return CompletableFuture.completedStage(new Response(200, "text/plain", text));
    }

    private Socket ask(String requests) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(server.address(), TIMEOUT_MILLIS);
        socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    private static String all(Socket socket) throws IOException {
        socket.shutdownOutput();
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    @Test
    void shouldAnswerAboutHealthWhilePagesAreMade() throws IOException {
        // given pages that take long, asked for ahead
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            slow.add(ask(get("/slow").repeat(2)));
        }

        // when
        Socket health = ask(get("/health/live"));

        // then
        assertThat(all(health)).startsWith("HTTP/1.1 200 OK").endsWith("live");

        // when
        released.countDown();

        // then
        for (Socket socket : slow) {
            assertThat(all(socket)).containsSubsequence("200 OK", "slow", "200 OK", "slow");
        }
    }
}
