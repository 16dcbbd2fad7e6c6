package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.TestClient.Delivered;
import winnow.broker.security.UserFile;
import winnow.wire.frame.ControlFrame;

/// Asks a real broker over HTTP.
class AdminApiTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir private Path directory = Path.of("");

    @Test
    void shouldListTopicsAndSubscriptions() throws IOException {
        try (Broker broker = start(Map.of("destination.matching-by-topic", "b/c=linear"));
                TestClient client = TestClient.connect(broker)) {
            // given
            client.subscribe(1, "b/c", "p = 1", "");
            client.subscribe(2, "a b");
            client.subscribe(3, "a b", "q > 2", "#7");
            client.open(1, "a b");
            client.publish(1, "", Map.of(), "m");
            client.expect(Delivered.class);
            BrokerPages.awaitMetric(broker, "winnow_subscriptions", 3);
            BrokerPages.awaitMetric(broker, "winnow_messages_received_total", 1);

            // then
            JsonNode topics = json(broker, "/api/v1/topics");
            assertThat(topics).hasSize(2);
            assertThat(topics.get(0))
                    .hasToString(
                            "{\"name\":\"a b\",\"matching\":\"indexed\",\"subscriptions\":2,"
                                    + "\"messages\":1,\"blockedBy\":\"\"}");
            assertThat(json(broker, "/api/v1/topics/b%2Fc").path("matching").asText())
                    .isEqualTo("linear");

            JsonNode subscriptions = json(broker, "/api/v1/topics/a%20b/subscriptions");
            assertThat(subscriptions.findValuesAsText("id")).containsExactly("1", "2");
            assertThat(subscriptions.findValuesAsText("selector")).containsExactly("", "q > 2");
            assertThat(subscriptions.findValuesAsText("correlationIdFilter"))
                    .containsExactly("", "#7");
            assertThat(json(broker, "/api/v1/topics/a%20b/subscriptions?after=1&limit=5"))
                    .hasSize(1);
        }
    }

    @Test
    void shouldExplainTheSelectorOfASubscription() throws IOException {
        try (Broker broker = start(Map.of("destination.matching-by-topic", "linear=linear"));
                TestClient client = TestClient.connect(broker)) {
            // given
            client.subscribe(1, "t", "region = 'EU' AND NOT (price + 1 <= 6)", "");
            client.subscribe(2, "t", "NOT (price + 1 <= 6) AND region = 'EU'", "");
            client.subscribe(3, "linear", "x <> 'a'", "");
            BrokerPages.awaitMetric(broker, "winnow_subscriptions", 3);

            // when
            JsonNode answer = json(broker, "/api/v1/topics/t/subscriptions/2/explain");
            JsonNode linear = json(broker, "/api/v1/topics/linear/subscriptions/1/explain");

            // then
            assertThat(answer.path("selector").asText())
                    .isEqualTo("NOT (price + 1 <= 6) AND region = 'EU'");
            assertThat(answer.path("report").path("subscriptions").asInt()).isEqualTo(2);
            assertThat(answer.path("report").path("access").asText()).isEqualTo("RESIDUAL");
            assertThat(answer.path("report").path("keys").findValuesAsText("text"))
                    .containsExactly("region = 'EU'");
            assertThat(answer.path("report").path("formula").path("operands")).hasSize(2);
            assertThat(linear.path("report").isNull()).isTrue();
            assertThat(linear.path("explanation").path("warnings").findValuesAsText("kind"))
                    .contains("SKIPS_MISSING");
        }
    }

    @Test
    void shouldSayWhatIsWrongWithARequest() throws IOException {
        try (Broker broker = start(Map.of());
                TestClient client = TestClient.connect(broker)) {
            client.subscribe(1, "t");
            BrokerPages.awaitMetric(broker, "winnow_subscriptions", 1);

            refused(broker, "/api/v1/heaps", 404, "found '/api/v1/heaps'");
            refused(broker, "/api/v1/topics/u", 404, "no topic 'u' is in use");
            refused(broker, "/api/v1/topics/t/x", 404, "/explain, found '/api/v1/topics/t/x'");
            refused(broker, "/api/v1/topics/t/subscriptions/9/explain", 404, "no subscription 9");
            refused(
                    broker,
                    "/api/v1/topics/t/subscriptions/x/explain",
                    400,
                    "subscription: expected a number from 0 to 2147483647, found 'x'");
            refused(
                    broker,
                    "/api/v1/topics/t/subscriptions?limit=-1",
                    400,
                    "limit: expected a number from 1 to 10000, found '-1'");
        }
    }

    @Test
    void shouldEndAListOfLongSelectorsEarly() throws IOException {
        try (Broker broker = start(Map.of());
                TestClient client = TestClient.connect(broker)) {
            // given
            for (int i = 1; i <= 25; i++) {
                client.subscribe(i, "t", "x = " + i + " ".repeat(60_000), "");
            }

            // then
            String first = "/api/v1/topics/t/subscriptions";
            assertThat(json(broker, first)).hasSize(10);
            String second = next(broker, first);
            assertThat(second).isEqualTo("/api/v1/topics/t/subscriptions?after=10&limit=100");
            assertThat(json(broker, second)).hasSize(10);
            String third = next(broker, second);
            assertThat(json(broker, third)).hasSize(5);
            assertThat(next(broker, third)).isEmpty();
        }
    }

    @Test
    void shouldListTopicsPageByPage() throws IOException {
        try (Broker broker = start(Map.of());
                TestClient client = TestClient.connect(broker)) {
            // given
            client.open(1, "b & c");
            client.open(2, "a");
            client.open(3, "d");

            // then
            String first = "/api/v1/topics?limit=2";
            assertThat(json(broker, first).findValuesAsText("name")).containsExactly("a", "b & c");
            String second = next(broker, first);
            assertThat(second).isEqualTo("/api/v1/topics?after=b+%26+c&limit=2");
            assertThat(json(broker, second).findValuesAsText("name")).containsExactly("d");
            assertThat(next(broker, second)).isEmpty();
        }
    }

    /// The target of the next page, empty if there is none.
    private static String next(Broker broker, String path) throws IOException {
        String link = BrokerPages.get(broker, path).headers().firstValue("Link").orElse("");
        return link.replaceFirst("<(.*)>; rel=\"next\"", "$1");
    }

    @Test
    void shouldNameTopicsAndSelectorsOnlyToThoseWhoMayAsk() throws IOException {
        Path users = TestUsers.write(directory, UserFile.line("ann", "secret"));
        try (Broker broker = start(Map.of("security.users", users.toString()));
                TestClient client = new TestClient(broker.address())) {
            // given
            client.hello(new ControlFrame.Hello(0, "", "PLAIN", "ann\0ann\0secret", 0, "test"));
            client.expect(ControlFrame.Welcome.class);
            client.subscribe(1, "secret.topic", "hidden = 1", "");
            client.open(1, "secret.topic");
            client.publish(1, "", Map.of("hidden", 1), "m");
            client.expect(Delivered.class);

            // then
            HttpResponse<String> totals = BrokerPages.get(broker, "/metrics");
            assertThat(totals.statusCode()).isEqualTo(200);
            assertThat(totals.body())
                    .contains("winnow_subscriptions 1.0")
                    .doesNotContain("secret", "hidden");
            assertThat(BrokerPages.get(broker, "/metrics/detailed").statusCode()).isEqualTo(401);
            assertThat(BrokerPages.get(broker, "/metrics/detailed", "ann", "secret").body())
                    .contains("topic=\"secret.topic\"");
        }
    }

    @Test
    void shouldShowTheMetricsOfTheTopicsAskedFor() throws IOException {
        try (Broker broker = start(Map.of());
                TestClient client = TestClient.connect(broker)) {
            // given
            client.open(1, "quiet");
            client.open(2, "busy & loud");
            client.open(3, "other");
            client.publishConfirmed(2, "m");
            client.await(ControlFrame.Published.class);

            // then
            assertThat(shown(broker, ""))
                    .containsExactlyInAnyOrder("busy & loud", "other", "quiet");
            assertThat(shown(broker, "?top=1")).containsExactly("busy & loud");
            assertThat(shown(broker, "?topic=other&topic=busy%20%26%20loud"))
                    .containsExactlyInAnyOrder("busy & loud", "other");
            assertThat(BrokerPages.get(broker, "/metrics/detailed?top=x").body())
                    .contains("top: expected a number from 0 to 10000, found 'x'");
        }
    }

    private static List<String> shown(Broker broker, String query) throws IOException {
        return BrokerPages.get(broker, "/metrics/detailed" + query)
                .body()
                .lines()
                .filter(line -> line.startsWith("winnow_topic_subscriptions{"))
                .map(line -> line.replaceFirst(".*topic=\"(.*)\"}.*", "$1"))
                .toList();
    }

    @Test
    void shouldDemandCredentialsIfClientsNeedThem() throws IOException {
        Path users = TestUsers.write(directory, UserFile.line("ann", "secret"));
        try (Broker broker = start(Map.of("security.users", users.toString()))) {
            HttpResponse<String> without = BrokerPages.get(broker, "/api/v1/topics");
            assertThat(without.statusCode()).isEqualTo(401);
            assertThat(without.headers().firstValue("WWW-Authenticate"))
                    .hasValue("Basic realm=\"winnow\"");
            assertThat(without.body()).contains("demands a user and a password, as HTTP Basic");
            assertThat(get(broker, "ann", "wrong").statusCode()).isEqualTo(401);
            assertThat(BrokerPages.metric(broker, "winnow_authentication_failures_total"))
                    .hasValue(1);
            assertThat(get(broker, "ann", "secret").body()).isEqualTo("[]\n");
        }
    }

    private static HttpResponse<String> get(Broker broker, String user, String password)
            throws IOException {
        return BrokerPages.get(broker, "/api/v1/topics", user, password);
    }

    private static void refused(Broker broker, String path, int status, String message)
            throws IOException {
        HttpResponse<String> response = BrokerPages.get(broker, path);
        assertThat(response.statusCode()).as(path).isEqualTo(status);
        assertThat(JSON.readTree(response.body()).path("detail").asText()).contains(message);
    }

    private static JsonNode json(Broker broker, String path) throws IOException {
        HttpResponse<String> response = BrokerPages.get(broker, path);
        assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        return JSON.readTree(response.body());
    }

    private static Broker start(Map<String, String> settings) throws IOException {
        return new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }
}
