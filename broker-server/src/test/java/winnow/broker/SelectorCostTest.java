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
        try (Broker broker =
                        new Broker(
                                BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
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
        return BrokerPages.get(broker, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("winnow_selector_cost_seconds{"))
                .toList();
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }
}
