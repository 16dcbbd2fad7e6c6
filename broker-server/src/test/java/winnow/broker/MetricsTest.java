package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import winnow.wire.frame.ControlFrame;

/// The metrics of a real broker that has seen a bit of everything.
class MetricsTest {
    private static final String BODY = "x".repeat(1000);
    private static final Pattern SAMPLE =
            Pattern.compile("([a-z_]+)(?:\\{(.*)})? (\\S+)", Pattern.CASE_INSENSITIVE);

    private Broker broker;

    @BeforeEach
    void start() throws IOException {
        Map<String, String> settings =
                Map.of(
                        "subscription.buffer",
                        "64KiB",
                        "destination.slow-consumers",
                        "*=block",
                        "session.producer-window",
                        "16KiB");
        broker = new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private String page(String path) throws IOException {
        return BrokerPages.get(broker, path).body();
    }

    private void await(String metric, double atLeast) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (BrokerPages.metric(broker, metric).orElse(-1) < atLeast) {
            assertThat(System.nanoTime()).as(metric + " in time").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private double value(String metric) throws IOException {
        return BrokerPages.metric(broker, metric).orElseThrow();
    }

    @Test
    void shouldNameWhatHoldsProducersBackAndForHowLong() throws IOException {
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given a consumer without credit
            consumer.requestSubscription(7, "prices", "", "", 0);
            consumer.expect(ControlFrame.Accepted.class);
            producer.open(1, "prices");

            // when
            int sent = producer.publishUntilBlocked(1, BODY);

            // then
            String prices = "{matching=\"indexed\",topic=\"prices\"}";
            String reason = "{reason=\"subscription-buffer\"}";
            assertThat(value("winnow_producers_blocked" + reason)).isEqualTo(1);
            assertThat(value("winnow_producer_blocks_total" + reason)).isEqualTo(1);
            await("winnow_producers_blocked_seconds_total" + reason, 0.01);
            await("winnow_backlog_messages", sent);
            await("winnow_backlog_oldest_age_seconds", 0.001);
            assertThat(page("/metrics/detailed"))
                    .contains("winnow_topic_blocked" + prices + " 1.0")
                    .contains("winnow_topic_producers_blocked" + prices + " 1.0")
                    .containsPattern(
                            "winnow_topic_culprit_backlog_bytes\\{consumer=\"subscription 7 of"
                                    + " connection .*\",reason=\"subscription-buffer\","
                                    + "topic=\"prices\"} ");
            assertThat(page("/metrics")).doesNotContain("prices");

            // when the consumer takes what waits
            consumer.credit(7, sent, sent * 2000);
            for (int i = 0; i < sent; i++) {
                consumer.expect(TestClient.Delivered.class);
            }

            // then
            BrokerPages.awaitMetric(broker, "winnow_producers_blocked" + reason, 0);
            BrokerPages.awaitMetric(broker, "winnow_backlog_oldest_age_seconds", 0);
            assertThat(value("winnow_backlog_messages")).isZero();
        }
    }

    @Test
    @Timeout(60)
    void shouldAnswerScrapesWhileAllEventLoopsHang() throws IOException {
        CountDownLatch hanging = new CountDownLatch(broker.loops().all().size());
        CountDownLatch mayGoOn = new CountDownLatch(1);
        try (TestClient client = TestClient.connect(broker)) {
            // given a topic, with which each page has something of every kind
            client.subscribe(1, "t", "p = 1", "");
            client.open(1, "t");
            client.publishConfirmed(1, "m");
            client.await(ControlFrame.Published.class);

            // when
            broker.loops()
                    .all()
                    .forEach(loop ->
                            loop.execute(() -> {
                                hanging.countDown();
                                awaitUninterruptibly(mayGoOn);
                            }));
            awaitUninterruptibly(hanging);

            // then
            assertThat(page("/metrics")).contains("winnow_messages_received_total 1.0");
            assertThat(page("/metrics/detailed")).contains("topic=\"t\"");
        } finally {
            mayGoOn.countDown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldMeasureHowLongCopiesStay() throws IOException {
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            consumer.subscribe(1, "t");
            producer.open(1, "t");
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);

            // when
            int sent = 0;
            while (value("winnow_dwell_seconds_count") == 0) {
                assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
                producer.awaitProducerCredit(2000);
                producer.publishConfirmed(1, BODY);
                producer.expect(ControlFrame.Published.class);
                sent++;
            }

            // then
            double seconds = (System.nanoTime() - deadline) / 1e9 + 30;
            assertThat(value("winnow_dwell_seconds_sum") / value("winnow_dwell_seconds_count"))
                    .isPositive()
                    .isLessThan(seconds);
            assertThat(value("winnow_replication_grade_bucket{le=\"0.0\"}")).isZero();
            assertThat(value("winnow_replication_grade_bucket{le=\"1.0\"}")).isEqualTo(sent);
            assertThat(value("winnow_replication_grade_count")).isEqualTo(sent);
            assertThat(value("winnow_message_size_bytes_bucket{le=\"4096.0\"}")).isEqualTo(sent);
            assertThat(value("winnow_message_size_bytes_bucket{le=\"256.0\"}")).isZero();
            assertThat(value("winnow_message_size_bytes_sum"))
                    .isEqualTo(value("winnow_received_bytes_total"))
                    .isGreaterThan(1000 * sent);
        }
    }

    @Test
    void shouldCountWhatWaitsForAConsumerThatLeaves() throws IOException {
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given
            consumer.requestSubscription(1, "t", "", "", 0);
            consumer.expect(ControlFrame.Accepted.class);
            producer.open(1, "t");
            producer.publishConfirmed(1, BODY);
            producer.publishConfirmed(1, BODY);
            await("winnow_messages_received_total", 2);

            // when
            consumer.unsubscribe(1);

            // then
            await("winnow_messages_dropped_total{reason=\"subscription-closed\"}", 2);
        }
    }

    @Test
    void shouldCountRefusalsByTheirReason() throws IOException {
        try (TestClient client = TestClient.connect(broker)) {
            client.requestSubscription(1, "t", "price >", "", 0);
            client.expect(ControlFrame.Refused.class);
            assertThat(value("winnow_requests_refused_total{reason=\"invalid-selector\"}"))
                    .isEqualTo(1);
            assertThat(value("winnow_requests_refused_total{reason=\"limit-exceeded\"}")).isZero();
        }
    }

    @Test
    void shouldWriteWhatTheScraperAccepts() throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + broker.httpAddress().getPort() + "/metrics");
        HttpRequest request =
                HttpRequest.newBuilder(uri)
                        .header("Accept", "application/openmetrics-text;version=1.0.0,*/*;q=0.1")
                        .header("Accept-Encoding", "gzip")
                        .build();
        HttpResponse<byte[]> answer =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.headers().firstValue("content-encoding")).hasValue("gzip");
        assertThat(answer.headers().firstValue("content-type").orElse(""))
                .startsWith("application/openmetrics-text");
        try (var plain = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            String text = new String(plain.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text)
                    .endsWith("# EOF\n")
                    .contains("# TYPE winnow_messages_received counter");
        }
        HttpResponse<String> other = BrokerPages.get(broker, "/metrics");
        assertThat(other.headers().firstValue("content-encoding")).isEmpty();
        assertThat(other.headers().firstValue("content-type"))
                .hasValue("text/plain; version=0.0.4; charset=utf-8");
    }

    @Test
    void shouldWriteTextForAScraperThatWouldTakeMore() throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + broker.httpAddress().getPort() + "/metrics");
        HttpRequest request =
                HttpRequest.newBuilder(uri)
                        .header(
                                "Accept",
                                "application/vnd.google.protobuf;"
                                        + "proto=io.prometheus.client.MetricFamily;"
                                        + "encoding=delimited,text/plain;version=0.0.4;q=0.5")
                        .build();
        HttpResponse<String> answer =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.headers().firstValue("content-type").orElse("")).startsWith("text/plain");
        assertThat(answer.body()).contains("# TYPE winnow_messages_received_total counter");
    }

    @Test
    void shouldKeepTheConventions() throws Exception {
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            consumer.subscribe(1, "t", "a = 1 AND b = 2", "");
            producer.open(1, "t");
            producer.publish(1, "", Map.of("a", 1, "b", 2), BODY);
            consumer.expect(TestClient.Delivered.class);
            for (String path : List.of("/metrics", "/metrics/detailed")) {
                String text = page(path);
                expectConventions(text.lines().toList());
                expectPromtoolToAgree(text);
            }
        }
    }

    private static void expectConventions(List<String> lines) throws IOException {
        String document = Files.readString(Path.of("../docs/METRICS.md"));
        Set<String> helped = new HashSet<>();
        Set<String> samples = new HashSet<>();
        String type = "";
        for (String line : lines) {
            if (line.startsWith("# HELP ")) {
                String[] help = line.split(" ", 4);
                assertThat(helped.add(help[2])).as("once: " + line).isTrue();
                assertThat(help[3]).as(help[2]).isNotBlank();
                assertThat(document)
                        .as("in docs/METRICS.md")
                        .contains(help[2].replaceFirst("_total$", ""));
            } else if (line.startsWith("# TYPE ")) {
                type = line.split(" ", 4)[3];
            } else {
                assertThat(samples.add(line.substring(0, line.lastIndexOf(' ')))).as(line).isTrue();
                expectConventions(line, type);
            }
        }
        assertThat(helped).hasSizeGreaterThan(10);
    }

    private static void expectConventions(String line, String type) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        String name = sample.group(1);
        assertThat(name).matches("(winnow|jvm|process)_[a-z_]+");
        assertThat(name).doesNotContainPattern("(millis|micros|nanos|kib|percent|mean)(_|$)");
        assertThat(name.endsWith("_total")).as(line).isEqualTo(type.equals("counter"));
        assertThat(Double.parseDouble(sample.group(3).replace("+Inf", "Infinity"))).isNotNaN();
    }

    /// Where there is no promtool, the rules above have to do.
    private static void expectPromtoolToAgree(String text) throws Exception {
        Process promtool;
        try {
            promtool =
                    new ProcessBuilder("promtool", "check", "metrics")
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException notInstalled) {
            return;
        }
        try (OutputStream in = promtool.getOutputStream()) {
            in.write(text.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(promtool.waitFor()).as(said).isZero();
        assertThat(said).isBlank();
    }
}
