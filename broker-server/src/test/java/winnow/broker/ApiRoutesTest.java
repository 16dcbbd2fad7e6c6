package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.wire.BranchEnd;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.Source;
import winnow.wire.Xid;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.EndBranch;
import winnow.wire.frame.EndConsumer;

/// What the HTTP port says is there, and what is there.
class ApiRoutesTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Broker broker;

    ApiRoutesTest(@TempDir Path data) throws IOException {
        broker =
                new Broker(
                        BrokerConfig.of(
                                Map.of(
                                        "subscription.buffer",
                                        "1KiB",
                                        "destination.slow-consumers",
                                        "behind=spill,*=block",
                                        "storage.directory",
                                        data.resolve("store").toString())),
                        InetAddress.getLoopbackAddress(),
                        0,
                        0);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private JsonNode json(String path) throws IOException {
        HttpResponse<String> response = BrokerPages.get(broker, path);
        assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    @Test
    void shouldDescribeEveryRoute() throws IOException {
        // when
        ApiDescription described = new ApiDescription(json("/api/v1/openapi.json"));

        // then
        assertThat(described.operations())
                .containsExactlyInAnyOrderElementsOf(
                        routes().stream().map(one -> one.method() + " " + one.path()).toList());
        assertThat(described.operationIds()).doesNotHaveDuplicates().hasSizeGreaterThan(30);
    }

    /// A question that the API says can be asked.
    private record Route(String method, String path) {}

    private List<Route> routes() throws IOException {
        List<Route> routes = new ArrayList<>();
        for (JsonNode one : json("/api/v1/")) {
            routes.add(new Route(one.path("method").asText(), one.path("path").asText()));
        }
        return routes;
    }

    @Test
    void shouldAnswerEveryRouteAsDescribed() throws IOException {
        try (TestClient client = TestClient.connect(broker);
                TestClient other = TestClient.connect(broker);
                TestClient publisher = TestClient.connect(broker)) {
            // given an entry in every list
            String idle = json("/api/v1/connections").get(1).path("id").asText();
            client.subscribe(1, "t", "p = 1", "");
            other.subscribeWithoutCredit(1, "blocked", "");
            publisher.open(1, "blocked");
            publisher.publishUntilBlocked(1, "x".repeat(512));
            other.subscribeWithoutCredit(2, "behind", "");
            publisher.open(2, "behind");
            publisher.publishAtOnce(2, 3, "x".repeat(512));
            BrokerPages.awaitMetric(broker, "winnow_subscriptions_behind", 1);
            client.send(DestinationKind.QUEUE, "q", 1, "m");
            client.send(DestinationKind.QUEUE, "winnow.dead", 3, "m");
            client.request(id -> new BeginSession(id, 1, false));
            Source source = new Source(DestinationKind.TOPIC, "t", "", "");
            client.request(id ->
                    new Consume(
                            id, 2, 1, ConsumerRole.SHARED_DURABLE, source, "s", false, 1, 1000));
            client.request(id -> new EndConsumer(id, 2, DeliveryRanges.NONE));
            client.send(DestinationKind.TOPIC, "t", 2, "m");
            for (int number = 1; number <= 2; number++) {
                Xid xid = new Xid(number, new byte[] {1}, new byte[0]);
                client.request(id -> new EndBranch(id, BranchEnd.PREPARE, xid, 0, List.of()));
            }
            int subscription = json("/api/v1/subscriptions").get(0).path("id").asInt();
            BrokerPages.post(broker, "/api/v1/storage/backups?name=first");

            // then
            ApiDescription description = new ApiDescription(json("/api/v1/openapi.json"));
            List<Route> routes = routes();
            // ClusterBrokerTest has what only a node of a cluster can do.
            routes.removeIf(route -> route.path().startsWith("/api/v1/cluster/"));
            routes.sort(Comparator.comparing(route -> removesItem(route)));
            // UsersApiTest has users, who need a user file.
            routes.removeIf(route -> route.path().contains("{user}"));
            for (Route route : routes) {
                String path = path(route, subscription, idle);
                HttpResponse<String> response = ask(route.method(), path);
                assertThat(response.statusCode()).as(path + response.body()).isEqualTo(200);
                description.check(route.method(), route.path(), response);
            }
            // SelectorCostTest has the selectors.
            assertThat(description.emptyLists()).containsExactly("listSelectors", "listUsers");
        }
    }

    @Test
    void shouldSayWhatIsWrongAsDescribed() throws IOException {
        // given
        ApiDescription description = new ApiDescription(json("/api/v1/openapi.json"));

        // then
        for (Route route : routes()) {
            String path = route.path().replaceAll("[{][^}]*[}]", "0");
            HttpResponse<String> misspelt = ask(route.method(), path + "?limt=1");
            assertThat(misspelt.statusCode()).as(path).isEqualTo(400);
            assertThat(misspelt.body()).contains("found 'limt'");
            description.check(route.method(), route.path(), misspelt);
            if (route.path().contains("{") && !creates(route)) {
                String to =
                        route.path().endsWith("/move")
                                ? "?to=x"
                                : route.path().endsWith("/{node}") && route.method().equals("post")
                                        ? "?address=127.0.0.1:1"
                                        : "";
                String unknown = path.replace("transactions/0", "transactions/0:00:") + to;
                HttpResponse<String> missing = ask(route.method(), unknown);
                assertThat(missing.statusCode()).as(unknown + missing.body()).isEqualTo(404);
                description.check(route.method(), route.path(), missing);
            }
        }
    }

    private static boolean creates(Route route) {
        return route.method().equals("put")
                || (route.method().equals("post") && route.path().equals("/api/v1/queues/{queue}"));
    }

    /// What others ask for must be there until they have.
    private static boolean removesItem(Route route) {
        return route.method().equals("delete") && route.path().endsWith("}");
    }

    private static String path(Route route, int subscription, String idle) {
        boolean last = route.path().endsWith("}");
        return route.path()
                        .replace("{queue}/retry", "winnow.dead/retry")
                        .replace("{topic}", "t")
                        .replace("{id}", "1")
                        .replace("{queue}", last && route.method().equals("delete") ? "moved" : "q")
                        .replace(
                                "{transaction}",
                                route.path().endsWith("commit") ? "1:01:" : "2:01:")
                        .replace("{subscription}", String.valueOf(subscription))
                        .replace("{backup}", "b")
                        .replace("{connection}", idle)
                + (route.path().endsWith("/move") ? "?to=moved" : "")
                + (route.path().endsWith("/backups") && route.method().equals("post")
                        ? "?name=b"
                        : "")
                + (route.path().endsWith("/test") ? "?user=a&operation=admin&kind=broker" : "");
    }

    private HttpResponse<String> ask(String method, String path) throws IOException {
        return switch (method) {
            case "get" -> BrokerPages.get(broker, path);
            case "post" -> BrokerPages.post(broker, path);
            case "put" -> BrokerPages.put(broker, path, "{\"password\": \"x\"}");
            default -> BrokerPages.delete(broker, path);
        };
    }

    @Test
    void shouldTellWhatIsThere() throws IOException {
        assertThat(BrokerPages.get(broker, "/").body()).contains("href=\"/api/v1/\"");
        assertThat(json("/api").path("versions").get(0).asText()).isEqualTo("/api/v1/");
        assertThat(json("/api/v1/").findValuesAsText("path")).contains("/api/v1/connections");
        assertThat(json("/api/v1")).isEqualTo(json("/api/v1/"));
    }

    @Test
    void shouldAnswerProblemsAsJson() throws IOException {
        problem(BrokerPages.get(broker, "/nope"), 404, "expected one of /, /api, /api/v1/, ");
        problem(BrokerPages.get(broker, "/api/v1/nope"), 404, "found '/api/v1/nope'");
        problem(BrokerPages.get(broker, "/api/v1/topics?limit=x"), 400, "limit: expected");
        problem(BrokerPages.get(broker, "/api/v1/connections?after=x"), 400, "after: expected");

        HttpResponse<String> post = BrokerPages.post(broker, "/api/v1/topics");
        problem(post, 405, "expected GET, HEAD, found POST");
        assertThat(post.headers().firstValue("Allow")).hasValue("GET, HEAD");
        HttpResponse<String> get = BrokerPages.get(broker, "/api/v1/reload");
        problem(get, 405, "expected POST, found GET");
        assertThat(get.headers().firstValue("Allow")).hasValue("POST");
        problem(BrokerPages.post(broker, "/metrics"), 405, "expected GET, HEAD, found POST");
    }

    private static void problem(HttpResponse<String> response, int status, String detail)
            throws IOException {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValue("application/problem+json");
        JsonNode problem = JSON.readTree(response.body());
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(problem.path("detail").asText()).contains(detail).doesNotContain("[");
    }

    @Test
    void shouldShowConnectionsConsumersAndWhoIsHeldBack() throws IOException {
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given a consumer that takes nothing
            Instant start = Instant.now();
            consumer.subscribeWithoutCredit(1, "t", "");
            producer.open(1, "t");
            producer.publishUntilBlocked(1, "x".repeat(512));

            // then
            JsonNode connections = json("/api/v1/connections");
            assertThat(connections.findValuesAsText("subscriptions")).containsExactly("1", "0");
            assertThat(connections.findValuesAsText("producers")).containsExactly("0", "1");
            String first = connections.get(0).path("id").asText();
            assertThat(json("/api/v1/connections?after=" + first)).hasSize(1);

            JsonNode slowest = json("/api/v1/consumers").get(0);
            assertThat(slowest.path("topic").asText()).isEqualTo("t");
            assertThat(slowest.path("waitingBytes").asLong()).isGreaterThan(512);

            JsonNode blocked = json("/api/v1/blocked").get(0);
            assertThat(blocked.path("topic").asText()).isEqualTo("t");
            assertThat(blocked.path("reason").asText()).contains("subscription.buffer is 1024");
            assertThat(blocked.path("producers").asInt()).isEqualTo(1);
            assertThat(blocked.path("truncated").asBoolean()).isFalse();
            JsonNode culprit = blocked.path("culprits").get(0);
            assertThat(culprit.path("subscription").asText())
                    .startsWith("subscription 1 of connection " + first);
            assertThat(culprit.path("limit").asText()).isEqualTo("subscription-buffer");
            assertThat(culprit.path("waitingBytes").asLong()).isGreaterThan(512);
            JsonNode held = blocked.path("heldBack").get(0);
            assertThat(held.path("connection").asText())
                    .isEqualTo(connections.get(1).path("id").asText());
            assertThat(held.path("address").asText()).isEqualTo("127.0.0.1");
            assertThat(Instant.parse(held.path("since").asText())).isBetween(start, Instant.now());
            assertThat(held.path("limit").asText()).isEqualTo("subscription-buffer");
            assertThat(json("/api/v1/overview").path("blockedTopics").asInt()).isEqualTo(1);

            // when it takes what waits
            consumer.credit(1, 1 << 20, 1 << 30);
            producer.awaitProducerCredit(1);

            // then
            assertThat(json("/api/v1/blocked")).isEmpty();
        }
    }

    @Test
    void shouldEndTheListOfWhoIsHeldBackAtItsLimit() throws IOException {
        try (TestClient consumer = TestClient.connect(broker);
                TestClient one = TestClient.connect(broker);
                TestClient other = new TestClient(broker.address())) {
            // given two blocked topics, one of them with two producers
            other.hello(new ControlFrame.Hello(0, "meter-7", "ANONYMOUS", "", 0, "test"));
            other.expect(ControlFrame.Welcome.class);
            consumer.subscribeWithoutCredit(1, "a", "");
            consumer.subscribeWithoutCredit(2, "b", "");
            one.open(1, "a");
            one.publishUntilBlocked(1, "x".repeat(512));
            other.open(1, "a");
            other.expect(ControlFrame.Blocked.class);
            other.open(2, "b");
            other.publishUntilBlocked(2, "x".repeat(512));

            // when
            HttpResponse<String> first = BrokerPages.get(broker, "/api/v1/blocked?limit=1");

            // then
            JsonNode page = JSON.readTree(first.body());
            assertThat(page.findValuesAsText("topic")).containsExactly("a");
            assertThat(page.get(0).path("producers").asInt()).isEqualTo(2);
            assertThat(page.get(0).path("heldBack")).hasSize(1);
            assertThat(page.get(0).path("truncated").asBoolean()).isTrue();
            assertThat(first.headers().firstValue("Link"))
                    .hasValue("</api/v1/blocked?after=a&limit=1>; rel=\"next\"");
            JsonNode second = json("/api/v1/blocked?after=a&limit=1");
            assertThat(second.findValuesAsText("topic")).containsExactly("b");
            assertThat(second.findValuesAsText("client")).containsExactly("meter-7");
            assertThat(second.get(0).path("truncated").asBoolean()).isFalse();
        }
    }

    @Test
    void shouldShowWhichApplicationAConnectionBelongsTo() throws IOException {
        try (TestClient client = new TestClient(broker.address())) {
            // when
            String said = "p\r\napplication: order\u0007desk\r\nhost: web-3\r\n\r\n";
            client.hello(new ControlFrame.Hello(0, "meter-7", "ANONYMOUS", "", 0, said));
            client.expect(ControlFrame.Welcome.class);
            client.subscribeWithoutCredit(1, "t", "");
            client.open(1, "t");
            client.publishUntilBlocked(1, "x".repeat(512));

            // then
            JsonNode connection = json("/api/v1/connections").get(0);
            assertThat(connection.path("application").asText()).isEqualTo("order?desk");
            assertThat(connection.path("host").asText()).isEqualTo("web-3");
            assertThat(json("/api/v1/connections?name=order*")).hasSize(1);
            assertThat(json("/api/v1/connections?name=web*")).hasSize(1);
            assertThat(json("/api/v1/connections?name=meter")).isEmpty();
            assertThat(json("/api/v1/consumers").get(0).path("client").asText())
                    .contains(" of client 'meter-7' (order?desk) at /127.0.0.1:");
        }
    }

    @Test
    void shouldShowSettings() throws IOException {
        // when
        JsonNode settings = json("/api/v1/settings");

        // then
        JsonNode buffer = setting(settings, "subscription.buffer");
        assertThat(buffer.path("value").asText()).isEqualTo("1KiB");
        assertThat(buffer.path("unit").asText()).startsWith("bytes");
    }

    private static JsonNode setting(JsonNode settings, String key) {
        for (JsonNode one : settings) {
            if (one.path("key").asText().equals(key)) {
                return one;
            }
        }
        throw new AssertionError("no " + key);
    }
}
