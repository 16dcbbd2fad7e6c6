package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.wire.ConsumerRole;
import winnow.wire.DestinationKind;
import winnow.wire.Source;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;

/// Makes, pauses and resumes queues of a real broker over HTTP, and asks for parts of its lists.
class QueueControlTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final DestinationKind QUEUE = DestinationKind.QUEUE;

    @TempDir private Path data = Path.of("");

    private Broker broker;
    private TestClient client;

    @BeforeEach
    void start() throws IOException {
        Map<String, String> settings =
                Map.of("storage.directory", data.resolve("store").toString());
        broker = new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
        client = connect("anna");
    }

    private TestClient connect(String name) throws IOException {
        TestClient made = new TestClient(broker.address());
        made.greet(name);
        made.request(id -> new BeginSession(id, 1, false));
        return made;
    }

    @AfterEach
    void stop() throws IOException {
        // A broker that stops waits for its clients.
        client.close();
        broker.close();
    }

    private JsonNode json(HttpResponse<String> response) throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private JsonNode get(String path) throws IOException {
        return json(BrokerPages.get(broker, "/api/v1/" + path));
    }

    private JsonNode post(String path) throws IOException {
        return json(BrokerPages.post(broker, "/api/v1/" + path));
    }

    private void consume(TestClient by) throws IOException {
        Source source = new Source(QUEUE, "q", "", "");
        by.request(
                id -> new Consume(id, 1, 1, ConsumerRole.QUEUE, source, "", false, 100, 1 << 20));
    }

    private static String next(TestClient by) throws IOException {
        return by.await(TestClient.Stored.class).body();
    }

    @Test
    void shouldMakeAQueueOnce() throws IOException {
        // when
        JsonNode made = post("queues/a%2Fb");
        client.send(QUEUE, "a/b", 1, "m");

        // then
        assertThat(made.path("name").asText()).isEqualTo("a/b");
        assertThat(made.path("paused").asBoolean()).isFalse();
        assertThat(post("queues/a%2Fb").path("backlog").path("messages").asInt()).isOne();
        HttpResponse<String> wrong = BrokerPages.post(broker, "/api/v1/queues/" + "a".repeat(1025));
        assertThat(wrong.statusCode()).as(wrong.body()).isEqualTo(400);
        HttpResponse<String> temporary =
                BrokerPages.post(broker, "/api/v1/queues/winnow.temporary%2Fx");
        assertThat(temporary.statusCode()).as(temporary.body()).isEqualTo(404);
    }

    @Test
    void shouldKeepTheMessagesOfAPausedQueueBack() throws IOException {
        // given
        client.send(QUEUE, "q", 1, "before");
        assertThat(post("queues/q/pause").path("paused").asBoolean()).isTrue();
        consume(client);

        // when
        client.send(QUEUE, "q", 1, "during");
        client.send(QUEUE, "other", 2, "");

        // then
        JsonNode queue = get("queues/q");
        assertThat(queue.path("paused").asBoolean()).isTrue();
        assertThat(queue.path("backlog").path("available").asInt()).isEqualTo(2);
        assertThat(queue.path("backlog").path("unacknowledged").asInt()).isZero();
        assertThat(get("queues/q/messages")).hasSize(2);
        assertThat(BrokerPages.get(broker, "/metrics/detailed").body())
                .contains("winnow_queue_paused{queue=\"q\"} 1")
                .contains("winnow_queue_paused{queue=\"other\"} 0");
        BrokerPages.awaitMetric(broker, "winnow_queues_paused", 1);

        // when
        assertThat(post("queues/q/resume").path("paused").asBoolean()).isFalse();

        // then
        assertThat(next(client)).isEqualTo("before");
        assertThat(next(client)).isEqualTo("during");
        BrokerPages.awaitMetric(broker, "winnow_queues_paused", 0);
    }

    @Test
    void shouldKeepAQueuePausedAfterARestart() throws IOException {
        // given
        post("queues/q");
        post("queues/q/pause");
        client.send(QUEUE, "q", 1, "m");

        // when
        client.close();
        broker.close();
        start();
        consume(client);
        client.send(QUEUE, "other", 1, "");

        // then
        assertThat(get("queues/q").path("paused").asBoolean()).isTrue();
        assertThat(get("queues/q").path("backlog").path("available").asInt()).isOne();
        post("queues/q/resume");
        assertThat(next(client)).isEqualTo("m");

        // when
        client.close();
        broker.close();
        start();

        // then
        assertThat(get("queues/q").path("paused").asBoolean()).isFalse();
    }

    @Test
    void shouldListThoseWhoseNameFits() throws IOException {
        // given
        for (String name : new String[] {"orders-1", "orders-2", "orders-3", "bills"}) {
            post("queues/" + name);
        }
        client.subscribe(1, "prices-eu", "", "");
        client.subscribe(2, "weather", "", "");
        client.send(QUEUE, "orders-2", 1, "m");
        try (TestClient _ = connect("otto")) {
            // then
            assertThat(get("connections?name=ot*").findValuesAsText("client"))
                    .containsExactly("otto");
            assertThat(get("connections?name=127.*&limit=1").findValuesAsText("client"))
                    .containsExactly("anna");
        }
        assertThat(get("topics?name=*-eu").findValuesAsText("name")).containsExactly("prices-eu");
        assertThat(get("consumers?name=weather").findValuesAsText("topic"))
                .containsExactly("weather");
        assertThat(get("backlogs?name=bills")).isEmpty();
        assertThat(get("backlogs?name=*2").findValuesAsText("name")).containsExactly("orders-2");
        HttpResponse<String> first =
                BrokerPages.get(broker, "/api/v1/queues?name=orders-*&limit=2");
        assertThat(json(first).findValuesAsText("name")).containsExactly("orders-1", "orders-2");
        assertThat(first.headers().firstValue("Link"))
                .hasValue("</api/v1/queues?after=orders-2&limit=2&name=orders-*>; rel=\"next\"");
        assertThat(get("queues?after=orders-2&limit=2&name=orders-*").findValuesAsText("name"))
                .containsExactly("orders-3");
    }
}
