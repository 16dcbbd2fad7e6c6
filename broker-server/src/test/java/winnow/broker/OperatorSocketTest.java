package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import winnow.broker.config.SettingSources;
import winnow.broker.transport.SocketClient;

/// Asks a broker with users and permissions by its socket.
class OperatorSocketTest {
    private final Path socket;
    private final Logger logger = (Logger) LoggerFactory.getLogger("winnow.audit");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final PermissionRig rig;

    OperatorSocketTest(@TempDir Path directory) throws IOException {
        socket = directory.resolve("admin.sock");
        rig = new PermissionRig(directory, "", "http.socket", socket.toString());
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() throws IOException {
        logger.detachAppender(log);
        rig.close();
    }

    private HttpResponse<String> ask(String method, String path, String... headers)
            throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://localhost" + path))
                        .method(method, HttpRequest.BodyPublishers.noBody());
        return new SocketClient(socket)
                .send(headers.length == 0 ? request.build() : request.headers(headers).build());
    }

    @Test
    void shouldAllowEverythingWithoutCredentials() throws IOException {
        assertThat(ask("POST", "/api/v1/queues/orders").statusCode()).isEqualTo(200);
        assertThat(ask("GET", "/api/v1/queues").body()).contains("\"orders\"");
        assertThat(ask("DELETE", "/api/v1/queues/orders/messages").statusCode()).isEqualTo(200);
        assertThat(ask("GET", "/api/v1/settings").statusCode()).isEqualTo(200);
        assertThat(ask("GET", "/metrics/detailed").statusCode()).isEqualTo(200);
        assertThat(
                        ask(
                                        "GET",
                                        "/api/v1/permissions/test?user=ann&operation=send"
                                                + "&kind=queue&name=orders")
                                .body())
                .contains("\"allowed\":false");

        // then the port asks as before
        assertThat(BrokerPages.get(rig.broker, "/api/v1/queues").statusCode()).isEqualTo(401);
        assertThat(rig.ask("mon", "DELETE", "/api/v1/queues/orders").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldRefuseAWebPage() throws IOException {
        assertThat(ask("POST", "/api/v1/reload", "Origin", "http://localhost").statusCode())
                .isEqualTo(403);
    }

    @Test
    void shouldTellTheAudit() throws IOException {
        // when
        ask("POST", "/api/v1/queues/orders");

        // then
        List<Map<String, String>> changes =
                log.list.stream()
                        .map(AuditTest::fields)
                        .filter(one -> "change".equals(one.get("event")))
                        .toList();
        assertThat(changes)
                .singleElement()
                .satisfies(one -> {
                    assertThat(one).containsEntry("user", "local").doesNotContainKey("rule");
                    assertThat(one.get("address")).matches("socket(, uid [0-9]+)?");
                    assertThat(one).containsEntry("object", "orders");
                });
    }

    @Test
    void shouldBeInTheDirectoryOfTheBrokersFiles() {
        // when
        SettingOptions options = new SettingOptions();
        new picocli.CommandLine(options).parseArgs("--data", "here");
        SettingSources sources = options.sources(Map.of());

        // then
        assertThat(sources.read(BrokerConfig.class).http().socket())
                .isEqualTo(Path.of("here", "admin.sock"));
        assertThat(
                        options.sources(Map.of("WINNOW_HTTP_SOCKET", ""))
                                .read(BrokerConfig.class)
                                .http()
                                .socket())
                .isEqualTo(Path.of(""));
    }
}
