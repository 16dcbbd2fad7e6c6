package winnow.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.tests.LauncherCheckout.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import winnow.loadgen.peer.PeerLoad;
import winnow.loadgen.peer.PeerRun;
import winnow.loadgen.rate.RateListener;
import winnow.loadgen.rate.RateLoad;
import winnow.loadgen.rate.RateRun;
import winnow.loadgen.rate.SideLoads;
import winnow.loadgen.rate.Spacing;
import winnow.loadgen.rate.Target;
import winnow.loadgen.worker.Provider;

/// Runs the load generator's commands that time single messages, with a broker and its client.
class OpenLoopTest {
    private RunningBroker broker;
    private Provider provider;

    @BeforeEach
    void start() throws IOException {
        broker = new RunningBroker(Map.of());
        provider = new Provider(Provider.WINNOW_FACTORY, broker.url(), "", "");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({
        "TOPIC, 2, 0, 2",
        "QUEUE, 1, 0, 1",
        "QUEUE, 2, 0, 1",
        "QUEUE, 1, 7, 1",
        "DURABLE, 2, 0, 1",
        "DURABLE, 2, 10, 1"
    })
    void shouldTimeEachMessageAndLeaveNothing(
            Target.Kind kind, int consumers, int batch, int copies) throws Exception {
        // given
        RateLoad load =
                new RateLoad(
                        new Target(kind, "load"),
                        3,
                        consumers,
                        kind != Target.Kind.TOPIC,
                        false,
                        batch,
                        100,
                        Duration.ZERO,
                        Spacing.POISSON,
                        Duration.ofMillis(100),
                        Duration.ofMillis(400),
                        1,
                        SideLoads.NONE);

        // when
        var result = RateRun.at(300, load, provider, RateListener.warningsTo(_ -> {}));

        // then
        assertThat(result.sent()).isBetween(100L, 210L);
        assertThat(result.received()).isEqualTo(copies * result.sent());
        assertThat(result.latency().count()).isEqualTo(copies * result.due());
        if (kind != Target.Kind.QUEUE || consumers == 1) {
            // What one consumer of a queue gives back may come to the other after later messages.
            assertThat(result.outOfSequence()).isZero();
        }
        // and nothing is left, in figures that may be of a moment ago
        await("no message", () -> stored("messages") == 0);
        await("no subscription", () -> stored("subscriptions") == 0);
    }

    private int stored(String figure) {
        var page = URI.create("http://127.0.0.1:" + broker.httpPort() + "/api/v1/overview");
        try (InputStream content = page.toURL().openStream()) {
            JsonNode overview = JsonMapper.builder().build().readTree(content);
            return overview.path("stored").path(figure).asInt(-1);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void shouldFindTheCapacityOfAQueueWithTransactions() throws Exception {
        // given
        RateLoad load =
                new RateLoad(
                        new Target(Target.Kind.QUEUE, "load"),
                        2,
                        2,
                        true,
                        false,
                        50,
                        100,
                        Duration.ZERO,
                        Spacing.CONSTANT,
                        Duration.ofMillis(100),
                        Duration.ofMillis(400),
                        1,
                        SideLoads.NONE);

        // then
        var result = RateRun.saturated(load, provider, RateListener.warningsTo(_ -> {}));
        assertThat(result.sentPerSecond()).isPositive();
        assertThat(result.missing()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void shouldTimeUntilAllPeersHaveAcknowledged(PeerLoad.Way way) throws Exception {
        // given
        PeerLoad load = new PeerLoad(way, 3, 1_000, 5, way == PeerLoad.Way.QUEUES, 1, 10);

        // when
        var result = PeerRun.of(load, provider, "peers");

        // then
        assertThat(result.minMicros()).isPositive();
        assertThat(result.p50Micros()).isBetween(result.minMicros(), result.maxMicros());
        assertThat(result.messagesPerSecond()).isPositive();
    }
}
