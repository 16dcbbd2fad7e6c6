package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A real broker that has seen enough messages to say something about selectors.
class SelectorCostTest {
    private static final int MESSAGES_AT_ONCE = 1_000;

    @Test
    void shouldTellWhatWasObservedOfSelectors() throws IOException {
        Map<String, String> settings = Map.of("metrics.selectors", "2");
        try (Broker broker = start(settings);
                TestClient client = TestClient.connect(broker)) {
            // given three selectors that are tested for every message
            client.subscribe(1, "t", "n * 2 = 2 * n AND n + 1 = 0", "");
            client.subscribe(2, "t", "n * 2 = n + n AND n + 2 = 0", "");
            client.subscribe(3, "t", "n * 3 = 3 * n AND n + 3 = 0", "");
            client.open(1, "t");
            BrokerPages.awaitMetric(broker, "winnow_subscriptions", 3);

            // when
            List<String> shown = publishUntilShown(broker, client);

            // then
            assertThat(shown).hasSize(2).allMatch(line -> line.contains("topic=\"t\""));
            assertThat(shown).allMatch(line -> value(line) > 0 && value(line) < 1);

            int observed = 0;
            for (int id = 1; id <= 3; id++) {
                JsonNode seen = explain(broker, id).path("report").path("observed");
                if (seen.path("sampledMessages").asInt() > 0) {
                    observed++;
                    assertThat(seen.path("matches").asInt()).isZero();
                    assertThat(seen.path("nanosPerMessage").asDouble()).isPositive();
                }
            }
            assertThat(observed).isGreaterThanOrEqualTo(2);
            ApiDescription description =
                    new ApiDescription(
                            JsonMapper.builder()
                                    .build()
                                    .readTree(
                                            BrokerPages.get(broker, "/api/v1/openapi.json")
                                                    .body()));
            checkAnswers(broker, description);
            assertThat(description.emptyLists()).isEmpty();
        }
    }

    @Test
    void shouldTimeTheMessagesOfTopicsInTurn() throws IOException {
        try (Broker broker = start(Map.of());
                TestClient client = TestClient.connect(broker)) {
            // given
            client.subscribe(1, "a", "n = 1", "");
            client.subscribe(2, "b", "n = 1", "");
            client.open(1, "a");
            client.open(2, "b");

            // when some 40 messages of each are timed
            for (int i = 0; i < 20_000; i++) {
                client.awaitProducerCredit(100);
                client.publish(1 + i % 2, "", Map.of("n", i), "");
            }
            BrokerPages.awaitMetric(broker, "winnow_messages_received_total", 20_000);

            // then
            assertThat(matchSeconds(broker)).hasSize(2).allMatch(line -> value(line) > 0);
        }
    }

    @Test
    void shouldTellTheCostOfASelectorThatNoMessageLeadsTo() throws IOException {
        try (Broker broker = start(Map.of());
                TestClient client = TestClient.connect(broker)) {
            // given
            client.subscribe(1, "t", "n = -1", "");
            client.subscribe(2, "t", "n = 0", "");
            client.open(1, "t");

            // when
            JsonNode few = publishUntilSampled(broker, client, 1);

            // then
            assertThat(few.path("cost").path("samples").asInt()).isBetween(1, 99);
            assertThat(few.path("cost").path("neededSamples").asInt()).isEqualTo(100);
            assertThat(few.path("cost").path("pays").isNull()).isTrue();

            // when
            JsonNode enough = publishUntilSampled(broker, client, 100);

            // then
            assertThat(enough.path("report").path("observed").path("candidates").asInt()).isZero();
            assertThat(enough.path("cost").path("passRate").asDouble(-1)).isZero();
            assertThat(enough.path("cost").path("pays").asBoolean()).isTrue();
        }
    }

    /// Explains the first subscription when so many messages were sampled of it: one in 256 is.
    private static JsonNode publishUntilSampled(Broker broker, TestClient client, int samples)
            throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        JsonNode answer = explain(broker, 1);
        while (answer.path("cost").path("samples").asInt() < samples) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            for (int i = 0; i < 1_000; i++) {
                client.awaitProducerCredit(100);
                client.publish(1, "", Map.of("n", i), "");
            }
            answer = explain(broker, 1);
        }
        return answer;
    }

    private static Broker start(Map<String, String> settings) throws IOException {
        return new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    private static List<String> matchSeconds(Broker broker) throws IOException {
        return lines(broker, "winnow_topic_match_seconds_sum{");
    }

    private static void checkAnswers(Broker broker, ApiDescription description) throws IOException {
        description.check("get", "/api/v1/selectors", BrokerPages.get(broker, "/api/v1/selectors"));
        String explain = "/api/v1/topics/{topic}/subscriptions/{id}/explain";
        for (int id = 1; id <= 3; id++) {
            String path = explain.replace("{topic}", "t").replace("{id}", "" + id);
            description.check("get", explain, BrokerPages.get(broker, path));
        }
    }

    /// What is observed depends on messages that come after what came first was looked at.
    private static List<String> publishUntilShown(Broker broker, TestClient client)
            throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        List<String> lines = List.of();
        while (lines.size() < 2 && System.nanoTime() < deadline) {
            for (int i = 0; i < MESSAGES_AT_ONCE; i++) {
                client.awaitProducerCredit(100);
                client.publish(1, "", Map.of("n", i), "");
            }
            lines = costs(broker);
        }
        return lines;
    }

    private static JsonNode explain(Broker broker, int id) throws IOException {
        String path = "/api/v1/topics/t/subscriptions/" + id + "/explain";
        return JsonMapper.builder().build().readTree(BrokerPages.get(broker, path).body());
    }

    private static List<String> costs(Broker broker) throws IOException {
        return lines(broker, "winnow_selector_cost_seconds{");
    }

    private static List<String> lines(Broker broker, String prefix) throws IOException {
        return BrokerPages.get(broker, "/metrics/detailed")
                .body()
                .lines()
                .filter(line -> line.startsWith(prefix))
                .toList();
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }
}
