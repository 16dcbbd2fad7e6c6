package winnow.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.broker.TestClient;
import winnow.broker.TestQueues;

/// Watches a real broker.
class TopCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Broker broker;
    private TestClient client;

    @BeforeEach
    void start() throws IOException {
        Map<String, String> settings =
                Map.of("subscription.buffer", "1KiB", "destination.slow-consumers", "*=block");
        broker = new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
        client = TestClient.connect(broker);
        client.subscribe(1, "quick", "p = 1", "");
        client.subscribeWithoutCredit(2, "slow", "region IS NULL");
        client.publishOnce("slow", "x".repeat(2000));
        AdminClient asking = new AdminClient(HttpUrl.parse(address()), "", "");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (asking.get("overview").path("blockedTopics").asInt() == 0) {
            assertThat(System.nanoTime() - deadline).as("nanoseconds to wait").isNegative();
        }
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        broker.close();
    }

    private int run(String... arguments) {
        CommandLine line = TopCommand.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(arguments);
    }

    private String address() {
        return "http://127.0.0.1:" + broker.httpAddress().getPort();
    }

    private String url() {
        return "--url=" + address();
    }

    @Test
    void shouldShowWhoWaitsForWhom() {
        // when
        int code = run(url(), "--interval", "100ms", "--once");

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
        assertThat(out.toString())
                .contains(
                        "1 connections  2 live and 0 stored subscriptions  0 queues  2 topics,"
                                + " 1 blocked")
                .containsPattern("slow +0 +subscription 2 of [0-9a-f]{16} at /127.0.0")
                .containsPattern("2,[0-9]{3} B +slow +[0-9a-f]{16} at /")
                .containsPattern("2,[0-9]{3} B +slow .*region IS NULL")
                .doesNotContain("\033");
    }

    @Test
    void shouldShowWhatWaitsInQueuesAndStoredSubscriptions() throws IOException {
        // given
        try (TestQueues queues = new TestQueues(broker, "anna")) {
            queues.subscribe("prices", "audit", "");
            queues.send("orders", "one");
            queues.send("orders", "two");

            // when
            int code = run(url(), "--interval", "1s", "--once");

            // then
            assertThat(code).as(err.toString()).isZero();
            assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
            assertThat(out.toString())
                    .contains("store working")
                    .contains("2 wait, 2 unattended, 0 dead letters")
                    .contains("3 live and 1 stored subscriptions  1 queues")
                    .containsPattern("\\n +2 +0 +0 +\\S+  orders\\n");
            run(url(), "--interval=100ms", "--once", "--output=json");
            String json = out.toString().substring(out.toString().indexOf('{'));
            JsonNode line = SelectorCommand.JSON.readTree(json);
            assertThat(line.path("storedPerSecond").isNumber()).isTrue();
            assertThat(line.path("acknowledgedPerSecond").isNumber()).isTrue();
            assertThat(line.path("backlogs").path(0).path("name").asText()).isEqualTo("orders");
            JsonNode stored = line.path("overview").path("stored");
            assertThat(stored.path("state").asText()).isEqualTo("working");
            assertThat(stored.path("appended").asLong()).isEqualTo(2);
        }
    }

    @Test
    void shouldSayThatTheStoreHasFailed() throws IOException {
        // given
        JsonNode overview =
                SelectorCommand.JSON.readTree(
                        "{\"stored\":{\"state\":\"read-only\",\"problem\":\"no space\"}}");
        TopText view = new TopText("url", TopText.ENTRIES, "none");

        // when
        view.head(overview, overview);

        // then
        assertThat(view.toString()).contains("store read-only\n").contains("STORE: no space\n");
    }

    @Test
    void shouldNotSayThatThereAreNoSelectorsWhenNoneIsMeasured() {
        // given
        TopText view = new TopText("url", TopText.ENTRIES, "none");

        // when
        view.selectors(SelectorCommand.JSON.createArrayNode());

        // then
        assertThat(view.toString())
                .contains("none measured yet; selectors are measured while messages come\n");
    }

    @Test
    void shouldHaveSelectorsMeasuredBeforeTheFirstView() throws IOException {
        // given
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    asked.add(exchange.getRequestURI().getPath().replace("/api/v1/", ""));
                    exchange.sendResponseHeaders(200, 2);
                    exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
                    exchange.close();
                });
        server.start();

        // when
        int code;
        try {
            String url = "--url=http://127.0.0.1:" + server.getAddress().getPort();
            code = run(url, "--interval=100ms", "--once");
        } finally {
            server.stop(0);
        }

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(asked).startsWith("overview", "selectors", "overview").endsWith("selectors");
    }

    @Test
    void shouldShowTheSameForPrograms() throws IOException {
        // when
        int code = run(url(), "--interval=100ms", "--once", "--output=json");

        // then
        assertThat(code).as(err.toString()).isZero();
        JsonNode line = SelectorCommand.JSON.readTree(out.toString());
        assertThat(line.path("overview").path("blockedTopics").asInt()).isEqualTo(1);
        assertThat(line.path("blocked").path(0).path("topic").asText()).isEqualTo("slow");
        assertThat(line.path("consumers").path(0).path("waitingBytes").asLong())
                .isGreaterThan(2000);
        assertThat(line.path("selectors").isArray()).isTrue();
        assertThat(line.path("receivedPerSecond").isNumber()).isTrue();
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThat(run(url(), "--interval", "1ms")).isEqualTo(2);
        assertThat(err.toString()).contains("--interval: expected 100ms to 60m, found '1ms'");
        assertThat(run("--url=http://127.0.0.1:1", "--once")).isEqualTo(1);
        assertThat(err.toString()).contains("is the broker running?");
        assertThat(run("--url=http://127.0.0.1:" + broker.address().getPort())).isEqualTo(1);
        assertThat(err.toString())
                .contains("expected HTTP, found something else")
                .contains("HTTP port, which is 8161 by default");
    }

    @Test
    void shouldShowNothingThatATerminalWouldObey() throws IOException {
        // given
        TopText view = new TopText("url", TopText.ENTRIES, "none");
        String topic = "a\u001b[2J\u009b31m\u202eb\nc";

        // when
        view.blocked(
                SelectorCommand.JSON
                        .createArrayNode()
                        .add(SelectorCommand.JSON.createObjectNode().put("topic", topic)));

        // then
        assertThat(view.toString()).contains("a?[2J?31m?b?c ");
    }

    @Test
    void shouldTellConnectionsOfOneApplicationApart() {
        // given
        TopText view = new TopText("url", TopText.ENTRIES, "none");
        String client = "connection 0123456789abcdef (an-application-of-many) at 127.0.0.1";

        // when
        view.consumers(
                SelectorCommand.JSON
                        .createArrayNode()
                        .add(
                                SelectorCommand.JSON
                                        .createObjectNode()
                                        .put("waitingBytes", 7)
                                        .put("client", client)));

        // then
        assertThat(view.toString()).contains(" an-applicati… 0123456789abcdef ");
    }

    @Test
    void shouldTellRates() throws IOException {
        JsonNode before = SelectorCommand.JSON.readTree("{\"uptimeMillis\":1000,\"n\":5}");
        JsonNode now = SelectorCommand.JSON.readTree("{\"uptimeMillis\":3000,\"n\":1005}");

        assertThat(TopText.rate(before, now, "n")).isEqualTo(500);
        assertThat(TopText.rate(now, now, "n")).isZero();
    }
}
