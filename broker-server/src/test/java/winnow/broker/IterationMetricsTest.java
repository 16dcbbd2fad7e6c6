package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.wire.frame.ControlFrame;

/// The metrics of the iterations of a real broker's only event loop.
class IterationMetricsTest {
    private static final String BODY = "x".repeat(100);
    private static final String LOOP = "{loop=\"0\"}";
    private static final String MESSAGES = "winnow_loop_messages_per_iteration_";
    private static final String SECONDS = "winnow_loop_iteration_seconds_";
    private static final String WAKEUPS = "winnow_loop_wakeups_total" + LOOP;

    private final long startNanos = System.nanoTime();
    private Broker broker;

    @BeforeEach
    void start() throws IOException {
        Map<String, String> settings = Map.of("transport.event-loops", "1");
        broker = new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private double value(String metric) throws IOException {
        return BrokerPages.metric(broker, metric).orElseThrow();
    }

    private void awaitWakeups(double atLeast) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (value(WAKEUPS) < atLeast) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    @Test
    void shouldCountTheMessagesOfIterations() throws IOException {
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker);
                TestQueues queues = new TestQueues(broker, "q")) {
            // given
            consumer.subscribe(1, "t");
            producer.open(1, "t");

            // when some come together, some alone and some to a queue
            producer.publishAtOnce(1, 50, BODY);
            for (int i = 0; i < 50; i++) {
                consumer.expect(TestClient.Delivered.class);
            }
            for (int i = 0; i < 10; i++) {
                producer.publishConfirmed(1, BODY);
                producer.await(ControlFrame.Published.class);
            }
            queues.send("q", BODY);
            queues.send("q", BODY);

            // then
            BrokerPages.awaitMetric(broker, MESSAGES + "sum" + LOOP, 62);
            assertThat(value("winnow_messages_received_total")).isEqualTo(60);
            double without = value(MESSAGES + "bucket{loop=\"0\",le=\"0.0\"}");
            double upToOne = value(MESSAGES + "bucket{loop=\"0\",le=\"1.0\"}");
            assertThat(upToOne - without).isGreaterThanOrEqualTo(12);
            assertThat(value(MESSAGES + "count" + LOOP)).isGreaterThan(upToOne);
        }
    }

    @Test
    void shouldCountReadsAndWrites() throws IOException {
        try (TestClient producer = TestClient.connect(broker)) {
            // given
            producer.open(1, "t");
            double reads = value("winnow_loop_reads_total" + LOOP);
            double writes = value("winnow_loop_writes_total" + LOOP);

            // when
            for (int i = 0; i < 10; i++) {
                producer.publishConfirmed(1, BODY);
                producer.await(ControlFrame.Published.class);
            }

            // then
            assertThat(value("winnow_loop_reads_total" + LOOP)).isBetween(reads + 10, reads + 20);
            assertThat(value("winnow_loop_writes_total" + LOOP))
                    .isBetween(writes + 10, writes + 20);
        }
    }

    @Test
    void shouldMeasureIterationsWithoutTheSleep() throws IOException {
        // given a loop that has nothing to do but its timers
        double wakeups = value(WAKEUPS);

        // when
        awaitWakeups(wakeups + 10);

        // then
        double seconds = value(SECONDS + "sum" + LOOP);
        double elapsed = (System.nanoTime() - startNanos) / 1e9;
        assertThat(seconds).isPositive().isLessThan(elapsed / 2);
        assertThat(value(SECONDS + "count" + LOOP)).isGreaterThanOrEqualTo(wakeups + 9);
    }
}
