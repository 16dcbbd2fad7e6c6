package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.wire.DestinationKind;

/// Asks a real broker for backups over HTTP.
class BackupApiTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String BACKUPS = "/api/v1/storage/backups";

    @TempDir private Path data = Path.of("");

    private final List<Broker> brokers = new ArrayList<>();

    private Broker start(Map<String, String> settings) throws IOException {
        Broker broker =
                new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
        brokers.add(broker);
        return broker;
    }

    private Broker start() throws IOException {
        return start(
                Map.of(
                        "storage.directory",
                        data.resolve("store").toString(),
                        "storage.max-backups",
                        "2"));
    }

    @AfterEach
    void stop() {
        brokers.forEach(Broker::close);
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static void refused(HttpResponse<String> response, int status, String detail)
            throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValue("application/problem+json");
        assertThat(JSON.readTree(response.body()).path("detail").asText()).contains(detail);
    }

    private static void send(Broker broker, String text) throws IOException {
        try (TestClient client = TestClient.connect(broker)) {
            client.send(DestinationKind.QUEUE, "q", 1, text);
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> entries = Files.list(data.resolve("backups"))) {
            return entries.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldMakeShowAndRemoveBackups() throws IOException {
        // given
        Broker broker = start();
        send(broker, "kept");

        // when
        JsonNode made = json(BrokerPages.post(broker, BACKUPS + "?name=before-update"));
        JsonNode unnamed = json(BrokerPages.post(broker, BACKUPS));

        // then
        Path directory = data.resolve("backups").resolve("before-update");
        assertThat(made.path("name").asText()).isEqualTo("before-update");
        assertThat(made.path("directory").asText()).isEqualTo(directory.toString());
        assertThat(made.path("bytes").asLong()).isPositive();
        assertThat(made.path("complete").asBoolean()).isTrue();
        assertThat(unnamed.path("name").asText()).matches("\\d{8}-\\d{6}");
        assertThat(directory.resolve("store").resolve("format")).exists();
        assertThat(json(BrokerPages.get(broker, BACKUPS)).findValuesAsText("name"))
                .containsExactly(unnamed.path("name").asText(), "before-update");
        assertThat(json(BrokerPages.get(broker, BACKUPS + "/before-update"))).isEqualTo(made);
        HttpResponse<String> page = BrokerPages.get(broker, BACKUPS + "?limit=1");
        assertThat(json(page)).hasSize(1);
        assertThat(page.headers().firstValue("Link")).isPresent();

        // when
        json(BrokerPages.delete(broker, BACKUPS + "/before-update"));

        // then
        assertThat(files()).containsExactly(unnamed.path("name").asText());
        refused(BrokerPages.get(broker, BACKUPS + "/before-update"), 404, "before-update");
        refused(BrokerPages.delete(broker, BACKUPS + "/before-update"), 404, "before-update");
    }

    @Test
    void shouldServeABackupAsItWasWhenItWasMade() throws IOException {
        // given
        Broker broker = start();
        send(broker, "before");
        json(BrokerPages.post(broker, BACKUPS + "?name=b"));
        send(broker, "after");
        broker.close();

        // when
        Path copy = data.resolve("backups").resolve("b").resolve("store");
        Broker other = start(Map.of("storage.directory", copy.toString()));

        // then
        JsonNode messages = json(BrokerPages.get(other, "/api/v1/queues/q/messages"));
        assertThat(messages.findValuesAsText("bodyStart")).containsExactly("before");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "%2e%2e%2fx", "a.b", "-a", "a%20b", ".unfinished", "a%00"})
    void shouldTakeNoOtherNames(String name) throws IOException {
        Broker broker = start();
        refused(BrokerPages.post(broker, BACKUPS + "?name=" + name), 400, "name: expected");
        assertThat(data.resolve("backups")).doesNotExist();
    }

    @Test
    void shouldNeverOverwriteAndLimitTheNumber() throws IOException {
        // given
        Broker broker = start();
        json(BrokerPages.post(broker, BACKUPS + "?name=a"));

        // then
        refused(BrokerPages.post(broker, BACKUPS + "?name=a"), 409, "is a backup 'a' already");
        json(BrokerPages.post(broker, BACKUPS + "?name=b"));
        refused(BrokerPages.post(broker, BACKUPS + "?name=c"), 409, "storage.max-backups is 2");
        assertThat(files()).containsExactly("a", "b");
        json(BrokerPages.delete(broker, BACKUPS + "/a"));
        json(BrokerPages.post(broker, BACKUPS + "?name=c"));
        assertThat(files()).containsExactly("b", "c");
    }

    @Test
    void shouldReportAFailureLeaveNothingBehindAndGoOn() throws IOException {
        // given a file where the folder of the backups should be
        Broker broker = start();
        Files.writeString(data.resolve("backups"), "in the way");

        // then
        refused(BrokerPages.post(broker, BACKUPS + "?name=a"), 503, "backups");
        refused(BrokerPages.get(broker, BACKUPS + "/a"), 503, "backups");
        assertThat(Files.readString(data.resolve("backups"))).isEqualTo("in the way");
        send(broker, "goes on");
        assertThat(BrokerPages.get(broker, "/health/ready").statusCode()).isEqualTo(200);

        // when
        Files.delete(data.resolve("backups"));

        // then
        json(BrokerPages.post(broker, BACKUPS + "?name=a"));
    }

    @Test
    void shouldRemoveWhatAnInterruptedBackupHasLeft() throws IOException {
        // given
        Broker broker = start();
        Path left = data.resolve("backups").resolve("old.unfinished").resolve("store");
        Files.createDirectories(left);
        Files.writeString(left.resolve("x"), "half");

        // then
        assertThat(json(BrokerPages.get(broker, BACKUPS))).isEmpty();
        json(BrokerPages.post(broker, BACKUPS + "?name=a"));
        assertThat(files()).containsExactly("a");
    }

    @Test
    void shouldRefuseWhereMessagesAreInMemory() throws IOException {
        Broker broker = start(Map.of());
        refused(BrokerPages.post(broker, BACKUPS), 409, "messages are kept in memory");
        assertThat(json(BrokerPages.get(broker, BACKUPS))).isEmpty();
        refused(BrokerPages.get(broker, BACKUPS + "/a"), 404, "there is no backup 'a'");
        refused(BrokerPages.delete(broker, BACKUPS + "/a"), 404, "there is no backup 'a'");
        refused(BrokerPages.delete(broker, BACKUPS), 405, "expected GET, HEAD, POST");
        refused(BrokerPages.post(broker, BACKUPS + "/a"), 405, "expected GET, HEAD, DELETE");
        refused(
                BrokerPages.get(broker, "/api/v1/storage/x"),
                404,
                "expected one of /api/v1/storage, ");
    }

    @Test
    void shouldRefuseWebPages() throws IOException {
        Broker broker = start();
        refused(BrokerPages.post(broker, BACKUPS, "Origin", "http://example.org"), 403, "Origin");
    }
}
