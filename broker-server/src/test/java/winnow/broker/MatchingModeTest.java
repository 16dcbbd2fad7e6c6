package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.TestClient.Delivered;

/// A broker in which some topics are matched otherwise than the rest, and what its metrics say.
class MatchingModeTest {
    private Broker broker;
    private TestClient client;

    @BeforeEach
    void start() throws IOException {
        Map<String, String> settings =
                Map.of(
                        "destination.matching-by-topic", "paper-*=linear",
                        "metrics.topics", "2");
        broker = new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
        client = TestClient.connect(broker);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        broker.close();
    }

    @Test
    void shouldLookAtCandidatesOnlyWithAnIndex() throws IOException {
        // when
        run("prices");

        // then p = '2' is the only candidate, and its key says it all
        expect("winnow_topic_messages_total", "prices", "indexed", 1);
        expect("winnow_topic_matches_total", "prices", "indexed", 1);
        expect("winnow_topic_selector_probes_total", "prices", "indexed", 1);
        expect("winnow_topic_selector_candidates_total", "prices", "indexed", 1);
        expect("winnow_topic_selector_evaluations_total", "prices", "indexed", 0);
        expect("winnow_topic_subscriptions", "prices", "indexed", 11);
        expect("winnow_topic_selectors", "prices", "indexed", 10);
        expect("winnow_topic_index_terms", "prices", "indexed", 10);
    }

    @Test
    void shouldEvaluateEverySelectorWithout() throws IOException {
        // when
        run("paper-4.9");

        // then
        expect("winnow_topic_matches_total", "paper-4.9", "linear", 1);
        expect("winnow_topic_selector_candidates_total", "paper-4.9", "linear", 0);
        expect("winnow_topic_selector_evaluations_total", "paper-4.9", "linear", 11);
        expect("winnow_topic_subscriptions", "paper-4.9", "linear", 11);
        expect("winnow_topic_selectors", "paper-4.9", "linear", 0);
    }

    @Test
    void shouldFindByAnIndexASelectorThatMayTakeLong() throws IOException {
        // given
        String five = "p LIKE '%a_1%' OR p LIKE '%b_1%' OR p LIKE '%c_1%' OR p LIKE '%d_1%'";
        client.subscribe(20, "paper-4.9", five + " OR p = '9z'", "");

        // when
        run("paper-4.9");

        // then no selector may go through a string more than four times
        expect("winnow_topic_selectors", "paper-4.9", "linear", 0);

        // and when
        client.subscribe(21, "paper-4.9", five + " OR p LIKE '%e_1%'", "");
        client.publish(1, "", Map.of("p", "xe21"), "m");

        // then
        assertThat(client.expect(Delivered.class)).isEqualTo(new Delivered(21, "", "m"));
        expect("winnow_topic_matches_total", "paper-4.9", "linear", 2);
        expect("winnow_topic_selectors", "paper-4.9", "linear", 1);
        expect("winnow_topic_subscriptions", "paper-4.9", "linear", 13);
    }

    @Test
    void shouldShowAsManyTopicsAsTheLimitAllowsAndCountAll() throws IOException {
        // when
        for (String topic : new String[] {"a", "b", "c"}) {
            client.subscribe(topic.charAt(0), topic, "p = 1", "");
        }
        BrokerPages.awaitMetric(broker, "winnow_subscriptions", 3);

        // then
        assertThat(shownTopics()).isEqualTo(2);
        assertThat(BrokerPages.metric(broker, "winnow_topics")).hasValue(3);

        // when one of them goes
        client.unsubscribe('a');
        BrokerPages.awaitMetric(broker, "winnow_topics", 2);

        // then
        assertThat(shownTopics()).isEqualTo(2);
    }

    @Test
    void shouldRouteAllThatAClientSentBeforeItsSocketEnded() throws IOException {
        // given reads that take several turns
        int messages = 20_000;
        for (int i = 1; i <= 100; i++) {
            client.subscribeWithoutCredit(i, "paper-4.9", "p = '" + i + "'");
        }
        TestClient producer = TestClient.connect(broker);
        producer.open(1, "paper-4.9");
        producer.awaitProducerCredit(messages * 20);

        // when
        producer.publishAtOnce(1, messages, "m");
        producer.endOutput();

        // then
        BrokerPages.awaitMetric(broker, "winnow_connections_open", 1);
        BrokerPages.awaitMetric(broker, "winnow_messages_received_total", messages);
        producer.close();
    }

    private long shownTopics() throws IOException {
        return BrokerPages.get(broker, "/metrics/detailed")
                .body()
                .lines()
                .filter(line -> line.startsWith("winnow_topic_subscriptions{"))
                .count();
    }

    /// Ten different selectors, one of which twice, and a message that matches one.
    private void run(String topic) throws IOException {
        for (int i = 0; i <= 10; i++) {
            client.subscribe(i + 1, topic, "p = '" + Math.min(i, 9) + "'", "");
        }
        client.open(1, topic);
        client.publish(1, "", Map.of("p", "2"), "m");
        assertThat(client.expect(Delivered.class)).isEqualTo(new Delivered(3, "", "m"));
    }

    private void expect(String metric, String topic, String matching, double value)
            throws IOException {
        BrokerPages.awaitMetric(
                broker, metric + "{matching=\"" + matching + "\",topic=\"" + topic + "\"}", value);
    }
}
