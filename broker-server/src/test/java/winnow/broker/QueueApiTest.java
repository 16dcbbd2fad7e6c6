package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.Source;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.EndConsumer;
import winnow.wire.frame.Recover;

/// Asks a real broker about its queues and stored subscriptions over HTTP, and changes them.
class QueueApiTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final DestinationKind QUEUE = DestinationKind.QUEUE;
    private static final DestinationKind TOPIC = DestinationKind.TOPIC;

    @TempDir private Path data;

    private Broker broker;
    private TestClient client;

    @BeforeEach
    void start() throws IOException {
        broker =
                new Broker(
                        BrokerConfig.of(
                                Map.of(
                                        "storage.directory", data.resolve("store").toString(),
                                        "storage.write-buffer", "1MiB",
                                        "storage.write-ahead-log", "1MiB",
                                        "queue.max-deliveries", "1")),
                        InetAddress.getLoopbackAddress(),
                        0,
                        0);
        client = new TestClient(broker.address());
        client.greet("anna");
        client.request(id -> new BeginSession(id, 1, false));
    }

    @AfterEach
    void stop() throws IOException {
        // A broker that stops waits for its clients.
        client.close();
        broker.close();
    }

    private void consume(int consumer, ConsumerRole role, String from, String selector, String name)
            throws IOException {
        Source source = new Source(role.isQueue() ? QUEUE : TOPIC, from, selector, "");
        client.request(id -> new Consume(id, consumer, 1, role, source, name, false, 100, 1 << 20));
    }

    private void endConsumer(int consumer) throws IOException {
        client.request(id -> new EndConsumer(id, consumer, DeliveryRanges.NONE));
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

    private JsonNode delete(String path) throws IOException {
        return json(BrokerPages.delete(broker, "/api/v1/" + path));
    }

    private static void refused(HttpResponse<String> response, int status, String detail)
            throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(JSON.readTree(response.body()).path("detail").asText()).contains(detail);
    }

    private void publish(int handle, String queue, Map<String, Object> properties, String body)
            throws IOException {
        client.openOnce(QUEUE, queue, handle);
        client.awaitProducerCredit(1);
        client.publish(handle, "id-7", properties, body);
        // Answered after the message was taken.
        client.send(QUEUE, "barrier", 9, "");
    }

    @Test
    void shouldListQueuesPageByPage() throws IOException {
        // given
        client.send(QUEUE, "b/c", 1, "one");
        client.send(QUEUE, "b/c", 1, "two");
        client.send(QUEUE, "a b", 2, "three");
        consume(1, ConsumerRole.QUEUE, "b/c", "", "");
        client.await(TestClient.Stored.class);
        client.await(TestClient.Stored.class);

        // when
        HttpResponse<String> first = BrokerPages.get(broker, "/api/v1/queues?limit=1");

        // then
        assertThat(json(first).findValuesAsText("name")).containsExactly("a b");
        assertThat(first.headers().firstValue("Link"))
                .hasValue("</api/v1/queues?after=a+b&limit=1>; rel=\"next\"");
        JsonNode second = get("queues?after=a+b&limit=1").get(0);
        assertThat(second).isEqualTo(get("queues/b%2Fc"));
        JsonNode backlog = second.path("backlog");
        assertThat(backlog.path("messages").asInt()).isEqualTo(2);
        assertThat(backlog.path("bytes").asInt()).isGreaterThan(6);
        assertThat(backlog.path("available").asInt()).isZero();
        assertThat(backlog.path("unacknowledged").asInt()).isEqualTo(2);
        assertThat(backlog.path("consumers").asInt()).isEqualTo(1);
        assertThat(second.path("counts").path("appended").asInt()).isEqualTo(2);
        assertThat(second.path("counts").path("delivered").asInt()).isEqualTo(2);
    }

    @Test
    void shouldShowMessages() throws IOException {
        // given
        publish(1, "q", Map.of("color", "red", "size", 7), "x".repeat(2000));
        publish(1, "q", Map.of("color", "blue"), "second");

        // then
        JsonNode all = get("queues/q/messages");
        assertThat(all).hasSize(2);
        JsonNode first = all.get(0);
        assertThat(first.path("properties"))
                .isEqualTo(JSON.readTree("{\"color\":\"red\",\"size\":7}"));
        assertThat(first.path("correlationId").asText()).isEqualTo("id-7");
        assertThat(first.path("priority").asInt()).isEqualTo(4);
        assertThat(first.path("persistent").asBoolean()).isFalse();
        assertThat(first.path("bodyType").asText()).isEqualTo("text");
        assertThat(first.path("bodyBytes").asInt()).isEqualTo(2000);
        assertThat(first.path("bodyStart").asText()).isEqualTo("x".repeat(1024));
        assertThat(first.path("truncated").asBoolean()).isTrue();

        String selector = URLEncoder.encode("color = 'blue'", StandardCharsets.UTF_8);
        JsonNode selected = get("queues/q/messages?selector=" + selector);
        assertThat(selected.findValuesAsText("bodyStart")).containsExactly("second");
        assertThat(get("queues/q/messages?limit=1")).hasSize(1);
        assertThat(get("queues/q").path("backlog").path("available").asInt()).isEqualTo(2);
    }

    @Test
    void shouldPurgeWhatASelectorNames() throws IOException {
        // given
        publish(1, "q", Map.of("color", "red"), "1");
        publish(1, "q", Map.of("color", "blue"), "2");
        publish(1, "q", Map.of(), "3");

        // when
        String selector = URLEncoder.encode("color = 'blue'", StandardCharsets.UTF_8);
        JsonNode some = delete("queues/q/messages?selector=" + selector);

        // then
        assertThat(some).hasToString("{\"messages\":1,\"complete\":true}");
        assertThat(get("queues/q/messages").findValuesAsText("bodyStart"))
                .containsExactly("1", "3");
        assertThat(delete("queues/q/messages").path("messages").asInt()).isEqualTo(2);
        assertThat(get("queues/q").path("backlog").path("messages").asInt()).isZero();
        assertThat(get("queues/q").path("counts").path("purged").asInt()).isEqualTo(3);
    }

    @Test
    void shouldMoveMessagesAndRetryDeadLetters() throws IOException {
        // given
        client.send(QUEUE, "q", 1, "poison");
        consume(1, ConsumerRole.QUEUE, "q", "", "");
        assertThat(client.await(TestClient.Stored.class).delivery()).isEqualTo(1);

        // when
        client.request(id -> new Recover(id, 1, DeliveryRanges.of(1)));
        endConsumer(1);

        // then
        JsonNode dead = get("queues/winnow.dead/messages").get(0);
        assertThat(dead.path("properties").path("JMS_WINNOW_DeadFrom").asText())
                .isEqualTo("queue q");
        assertThat(post("queues/winnow.dead/retry").path("messages").asInt()).isEqualTo(1);
        assertThat(get("queues/winnow.dead").path("backlog").path("messages").asInt()).isZero();
        assertThat(post("queues/q/move?to=other").path("messages").asInt()).isEqualTo(1);
        JsonNode moved = get("queues/other/messages").get(0);
        assertThat(moved.path("bodyStart").asText()).isEqualTo("poison");
        assertThat(moved.path("properties")).isEmpty();
    }

    @Test
    void shouldRefuseToRetryMessagesOfAnotherQueue() throws IOException {
        // given
        client.send(QUEUE, "q", 1, "a");

        // when
        HttpResponse<String> refused = BrokerPages.post(broker, "/api/v1/queues/q/retry");

        // then
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(refused.body())
                .contains("expected the dead-letter queue 'winnow.dead', found queue q");
        assertThat(get("queues/q").path("backlog").path("messages").asInt()).isEqualTo(1);
    }

    @Test
    void shouldRemoveAQueueWithoutConsumers() throws IOException {
        // given
        client.send(QUEUE, "q", 1, "a");
        consume(1, ConsumerRole.QUEUE, "q", "x = 1", "");

        // then
        refused(BrokerPages.delete(broker, "/api/v1/queues/q"), 409, "queue q has 1 consumers");
        endConsumer(1);
        assertThat(delete("queues/q")).hasToString("{\"messages\":1}");
        refused(BrokerPages.get(broker, "/api/v1/queues/q"), 404, "there is no queue 'q'");
    }

    @Test
    void shouldListAndRemoveSubscriptions() throws IOException {
        // given
        consume(1, ConsumerRole.DURABLE, "t", "p = 1", "mine");
        consume(2, ConsumerRole.SHARED, "t", "", "ours");
        client.openOnce(TOPIC, "t", 1);
        client.awaitProducerCredit(1);
        client.publish(1, "", Map.of("p", 1), "m");
        client.await(TestClient.Stored.class);
        client.await(TestClient.Stored.class);

        // when
        JsonNode found = get("subscriptions");

        // then
        assertThat(found.findValuesAsText("name")).containsExactly("mine", "ours");
        assertThat(found.findValuesAsText("durable")).containsExactly("true", "false");
        assertThat(found.findValuesAsText("shared")).containsExactly("false", "true");
        JsonNode mine = found.get(0);
        assertThat(mine.path("topic").asText()).isEqualTo("t");
        assertThat(mine.path("clientId").asText()).isEqualTo("anna");
        assertThat(mine.path("selector").asText()).isEqualTo("p = 1");
        assertThat(mine.path("backlog").path("messages").asInt()).isEqualTo(1);
        String path = "/api/v1/subscriptions/" + mine.path("id").asInt();
        String other = "/api/v1/subscriptions/" + found.get(1).path("id").asInt();
        refused(BrokerPages.delete(broker, path), 409, "'anna.mine' has a consumer");
        refused(BrokerPages.delete(broker, other), 409, "'anna.ours' is not durable");

        endConsumer(1);
        String id = mine.path("id").asText();
        assertThat(get("subscriptions/" + id + "/messages").findValuesAsText("bodyStart"))
                .containsExactly("m");
        assertThat(json(BrokerPages.delete(broker, path)).path("messages").asInt()).isEqualTo(1);
        refused(BrokerPages.get(broker, path), 404, "there is no subscription " + id);
    }

    @Test
    void shouldTellAboutTheStorage() throws IOException {
        // given
        client.send(QUEUE, "q", 1, "a");
        BrokerPages.awaitMetric(broker, "winnow_stored_messages", 1);

        // then
        JsonNode storage = get("storage");
        assertThat(storage.path("durable").asBoolean()).isTrue();
        assertThat(storage.path("directory").asText()).endsWith("/store");
        assertThat(storage.path("epoch").asInt()).isEqualTo(1);
        JsonNode figures = storage.path("figures");
        assertThat(figures.path("failure").asText()).isEmpty();
        assertThat(figures.path("content").path("queues").asInt()).isEqualTo(1);
        assertThat(figures.path("content").path("unattended").asInt()).isEqualTo(1);
        assertThat(figures.path("flow").path("appended").asInt()).isEqualTo(1);
        assertThat(figures.path("log").path("commits").asInt()).isPositive();
    }

    @Test
    void shouldSayThatTheStoreHasFailed() throws IOException {
        // given
        client.send(QUEUE, "q", 1, "kept");
        BrokerPages.awaitMetric(broker, "winnow_storage_failed", 0);
        assertThat(BrokerPages.get(broker, "/health/ready").statusCode()).isEqualTo(200);

        // when new files of data cannot be made
        try (Stream<Path> files = Files.walk(data.resolve("store"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        ControlFrame answer = client.sendUntilRefused(QUEUE, "q", 1, "x".repeat(200_000));

        // then
        assertThat(answer.toString()).contains("the store takes no more messages");
        HttpResponse<String> ready = BrokerPages.get(broker, "/health/ready");
        BrokerPages.awaitMetric(broker, "winnow_storage_failed", 1);
        assertThat(get("overview").path("stored").path("state").asText()).isEqualTo("read-only");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).startsWith("not ready: the store takes no more messages: ");
        assertThat(get("storage").path("figures").path("failure").asText()).isNotEmpty();
        refused(
                BrokerPages.delete(broker, "/api/v1/queues/q/messages"),
                503,
                "the store has failed");
        refused(BrokerPages.delete(broker, "/api/v1/queues/q"), 503, "the store has failed");
    }

    @Test
    void shouldRememberAFailureBeforeAnybodyKnowsOfIt() throws IOException {
        // given
        client.send(QUEUE, "q", 1, "kept");
        Path state = data.resolve("store").resolve("state");
        assertThat(state).hasContent("w");

        // when new files of data cannot be made
        try (Stream<Path> files = Files.walk(data.resolve("store").resolve("rocksdb"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        client.sendUntilRefused(QUEUE, "q", 1, "x".repeat(200_000));

        // then what is delivered from now on is marked when it comes again, after a crash, too
        assertThat(state).hasContent("f");
    }

    @Test
    void shouldShowTheMetricsOfQueuesAndSubscriptions() throws IOException {
        // given
        consume(1, ConsumerRole.DURABLE, "t", "", "mine");
        client.send(QUEUE, "q", 1, "a");
        client.send(QUEUE, "q", 1, "b");
        client.send(QUEUE, "r", 2, "c");

        // when
        String all = BrokerPages.get(broker, "/metrics/detailed").body();
        String queue = BrokerPages.get(broker, "/metrics/detailed?queue=r").body();
        String topic = BrokerPages.get(broker, "/metrics/detailed?topic=t").body();
        String one = BrokerPages.get(broker, "/metrics/detailed?top=1").body();

        // then
        String subscription =
                "winnow_stored_subscription_consumers{subscription=\"anna.mine\",topic=\"t\"} 1.0";
        assertThat(all)
                .contains("winnow_queue_messages{queue=\"q\"} 2.0")
                .contains("winnow_queue_messages{queue=\"r\"} 1.0")
                .contains("winnow_queue_messages_appended_total{queue=\"q\"} 2.0")
                .contains(subscription);
        assertThat(queue)
                .contains("winnow_queue_messages{queue=\"r\"} 1.0")
                .doesNotContain("queue=\"q\"")
                .doesNotContain("anna.mine");
        assertThat(topic).contains(subscription).doesNotContain("winnow_queue_messages");
        assertThat(one).contains("queue=\"q\"").doesNotContain("queue=\"r\"");
    }

    @Test
    void shouldKnowTheOldestMessageAfterARestart() throws IOException {
        // given
        client.timestamp(1_000_000_000_000L);
        client.send(QUEUE, "q", 1, "a");
        client.timestamp(1_000_000_001_000L);
        client.send(QUEUE, "q", 1, "b");
        consume(1, ConsumerRole.DURABLE, "t", "", "mine");
        String sent = "2001-09-09T01:46:40Z";
        assertThat(get("queues/q").path("backlog").path("oldest").asText()).isEqualTo(sent);

        // when
        broker.close();
        start();

        // then
        assertThat(get("queues/q").path("backlog").path("oldest").asText()).isEqualTo(sent);
        assertThat(get("queues").findValuesAsText("oldest")).containsExactly(sent);
        assertThat(get("subscriptions").findValue("oldest").isNull()).isTrue();
        JsonNode largest = get("backlogs?limit=5");
        assertThat(largest.findValuesAsText("name")).containsExactly("q");
        assertThat(largest.findValuesAsText("kind")).containsExactly("queue");
        assertThat(largest.findValuesAsText("oldest")).containsExactly(sent);
        awaitAge("/metrics", "winnow_stored_oldest_age_seconds ");
        awaitAge("/metrics/detailed", "winnow_queue_oldest_age_seconds{queue=\"q\"} ");
        JsonNode stored = get("overview").path("stored");
        assertThat(stored.path("oldest").asText()).isEqualTo(sent);
        assertThat(stored.path("messages").asInt()).isEqualTo(2);
    }

    private void awaitAge(String page, String metric) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (BrokerPages.get(broker, page)
                .body()
                .lines()
                .filter(line -> line.startsWith(metric))
                .noneMatch(line -> Double.parseDouble(line.substring(metric.length())) > 0)) {
            assertThat(System.nanoTime() - deadline).as(metric).isNegative();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    @Test
    void shouldCountWhatHappensToMessages() throws IOException {
        // given
        client.send(QUEUE, "q", 1, "a");
        consume(1, ConsumerRole.QUEUE, "q", "", "");
        client.await(TestClient.Stored.class);
        client.request(id -> new Recover(id, 1, DeliveryRanges.of(1)));
        endConsumer(1);

        // then
        BrokerPages.awaitMetric(broker, "winnow_dead_letters", 1);
        BrokerPages.awaitMetric(broker, "winnow_stored_messages_buried_total", 1);
        BrokerPages.awaitMetric(broker, "winnow_stored_messages_unattended", 0);
        BrokerPages.awaitMetric(broker, "winnow_queues", 2);
        delete("queues/q");
        BrokerPages.awaitMetric(broker, "winnow_queues", 1);
        BrokerPages.awaitMetric(broker, "winnow_stored_messages_buried_total", 1);
        BrokerPages.awaitMetric(broker, "winnow_storage_failed", 0);
    }

    @Test
    void shouldSayWhatIsWrongWithARequest() throws IOException {
        client.send(QUEUE, "q", 1, "a");

        refused(BrokerPages.get(broker, "/api/v1/queues/none"), 404, "no queue 'none'");
        refused(BrokerPages.get(broker, "/api/v1/queues/q/x"), 404, "{queue}/messages, ");
        refused(BrokerPages.get(broker, "/api/v1/queues/q/move"), 405, "expected POST, found GET");
        refused(BrokerPages.post(broker, "/api/v1/queues/q/messages"), 405, "GET, HEAD, DELETE");
        refused(BrokerPages.delete(broker, "/api/v1/topics"), 405, "GET, HEAD, found DELETE");
        refused(BrokerPages.post(broker, "/api/v1/queues/q/move"), 400, "to: expected name of");
        refused(BrokerPages.post(broker, "/api/v1/queues/q/move?to=q"), 400, "another queue");
        refused(
                BrokerPages.post(broker, "/api/v1/queues/q/move?to=winnow.temporary/x"),
                404,
                "no queue 'winnow.temporary/x'");
        refused(
                BrokerPages.delete(broker, "/api/v1/queues/q/messages?selector=a+%3D"),
                400,
                "the value on the right of = is missing");
        refused(
                BrokerPages.delete(broker, "/api/v1/queues/q", "Origin", "http://evil.example"),
                403,
                "a web page may change nothing here");
        refused(BrokerPages.get(broker, "/api/v1/subscriptions/x"), 400, "subscription: expected");
        refused(BrokerPages.get(broker, "/api/v1/subscriptions/0"), 404, "no subscription 0");
        assertThat(get("queues/q").path("backlog").path("messages").asInt()).isEqualTo(1);
    }
}
