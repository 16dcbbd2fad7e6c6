package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;

class HealthCheckTest {
    private static String url(int port) {
        return "http://127.0.0.1:" + port + "/health/ready";
    }

    @Test
    void shouldTellWhetherABrokerIsReady() throws IOException {
        // given
        String url;
        try (Broker broker =
                new Broker(BrokerConfig.of(Map.of()), InetAddress.getLoopbackAddress(), 0, 0)) {
            url = url(broker.httpAddress().getPort());

            // then
            assertThat(HealthCheck.problem(url)).isEmpty();
            assertThat(HealthCheck.problem(url.replace("ready", "unknown")))
                    .startsWith("HTTP/1.1 404");
        }
        assertThat(HealthCheck.problem(url)).startsWith("no answer from " + url + ": ");
    }

    @Test
    void shouldAskByTlsWhereTheEnvironmentGivesItToTheBroker() {
        Map<String, String> secured = Map.of("WINNOW_TLS_CERTIFICATE", "tls.crt");
        Map<String, String> jmsOnly =
                Map.of("WINNOW_TLS_CERTIFICATE", "tls.crt", "WINNOW_TLS_HTTP", "false");

        assertThat(HealthCheck.defaultUrl(Map.of())).startsWith("http://127.0.0.1:8161/");
        assertThat(HealthCheck.defaultUrl(secured)).startsWith("https://127.0.0.1:8161/");
        assertThat(HealthCheck.defaultUrl(jmsOnly)).startsWith("http://127.0.0.1:8161/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health/ready", "/", ""})
    void shouldSayWhyABrokerIsNotReady(String path) throws IOException {
        // given
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + server.getLocalPort() + path;
            CompletableFuture<String> problem =
                    CompletableFuture.supplyAsync(() -> HealthCheck.problem(url));

            // when
            try (Socket socket = server.accept()) {
                readRequest(socket.getInputStream());
                String answer = "HTTP/1.1 503 Service Unavailable\r\nA: b\r\n\r\nnot ready: x\n";
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            }

            // then
            assertThat(problem.join()).isEqualTo("HTTP/1.1 503 Service Unavailable: not ready: x");
        }
    }

    private static void readRequest(InputStream input) throws IOException {
        StringBuilder request = new StringBuilder();
        while (!request.toString().endsWith("\r\n\r\n")) {
            request.append((char) input.read());
        }
        assertThat(request.toString()).startsWith("GET /health/ready HTTP/1.1\r\nHost: 127.0.0.1:");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.0.0.1:8161",
                "ftp://x/",
                "http:///path",
                "http://",
                "http://x:99999",
                "x y"
            })
    void shouldRefuseWhatIsNoUrlOfHttp(String url) {
        assertThatThrownBy(() -> HealthCheck.problem(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "expected a URL such as http://127.0.0.1:8161/health/ready, found '"
                                + url
                                + "'");
    }

    @Test
    void shouldTakeTheUrlWithAndWithoutItsOption() {
        assertThat(HealthCheck.url("http://x/")).isEqualTo("http://x/");
        assertThat(HealthCheck.url("--url", "http://x/")).isEqualTo("http://x/");
        assertThat(HealthCheck.url("--url=http://x/")).isEqualTo("http://x/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--url", "--json http://x/", "--json", "http://x/ http://y/", "--url -h"})
    void shouldSayWhichArgumentsItDoesNotTake(String arguments) {
        assertThatThrownBy(() -> HealthCheck.url(arguments.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected one URL, found '" + arguments + "'");
    }
}
