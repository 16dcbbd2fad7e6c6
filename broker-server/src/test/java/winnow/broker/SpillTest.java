package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.TestClient.Delivered;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

/// A consumer that is behind costs others nothing, and itself its connection in the end.
class SpillTest {
    private static final String BODY = "x".repeat(1000);
    private static final int MUCH = 1 << 30;

    @TempDir private Path directory;

    private Broker broker(boolean onDisk, String... settings) throws IOException {
        Map<String, String> all =
                new HashMap<>(
                        Map.of(
                                "subscription.buffer",
                                "64KiB",
                                "subscription.total-buffer",
                                "4MiB",
                                "session.producer-window",
                                "64KiB",
                                "transport.event-loops",
                                "2",
                                "transport.drain-timeout",
                                "0s"));
        if (onDisk) {
            all.put("subscription.spill-directory", spill().toString());
        }
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        return new Broker(BrokerConfig.of(all), InetAddress.getLoopbackAddress(), 0, 0);
    }

    private Path spill() {
        return directory.resolve("spill");
    }

    private static TestClient consumer(Broker broker, String clientId, int id, int credit)
            throws IOException {
        TestClient consumer = new TestClient(broker.address());
        consumer.hello(new ControlFrame.Hello(0, clientId, "ANONYMOUS", "", 0, "test"));
        consumer.expect(ControlFrame.Welcome.class);
        consumer.requestSubscription(id, "t", "", "", credit);
        consumer.expect(ControlFrame.Accepted.class);
        return consumer;
    }

    /// Publishes, and lets a consumer take it that keeps up.
    private static void publish(TestClient producer, TestClient healthy, int from, int to)
            throws IOException {
        for (int i = from; i < to; i++) {
            producer.awaitProducerCredit(2000);
            producer.publish(1, "", Map.of(), i + BODY);
            if (i % 20 == 19) {
                for (int taken = i - 19; taken <= i; taken++) {
                    assertThat(number(healthy.expect(Delivered.class))).isEqualTo(taken);
                }
            }
        }
    }

    private static int number(Delivered delivered) {
        return Integer.parseInt(delivered.body().substring(0, delivered.body().indexOf('x')));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50_000})
    void shouldLetEverybodyElseGoOnAndDeliverAllInOrder(int credit) throws IOException {
        try (Broker broker = broker(true);
                TestClient hung = consumer(broker, "hung", 7, 0);
                TestClient other = consumer(broker, "other", 8, 0);
                TestClient healthy = consumer(broker, "healthy", 9, MUCH);
                TestClient producer = TestClient.connect(broker)) {
            // given ten times of what fits into memory
            int count = credit == 1 ? 6000 : 40_000;
            producer.open(1, "t");
            publish(producer, healthy, 0, count);
            BrokerPages.awaitMetric(broker, "winnow_subscriptions_behind", 2);
            assertThat(metric(broker, "winnow_spilled_bytes")).isGreaterThan(1_000_000);
            assertThat(BrokerPages.get(broker, "/api/v1/behind").body())
                    .contains("\"topic\":\"t\"", "subscription 7 of connection", "'hung'");

            // when one of them takes what waits, while more comes
            hung.credit(7, credit, MUCH);
            publish(producer, healthy, count, count + 1000);

            // then
            for (int i = 0; i < count + 1000; i++) {
                assertThat(number(hung.expect(Delivered.class))).isEqualTo(i);
                if (credit == 1) {
                    hung.credit(7, 1, 2000);
                }
            }
            BrokerPages.awaitMetric(broker, "winnow_subscriptions_behind", 1);

            // and nothing is left when the other one goes
            other.disconnect();
            BrokerPages.awaitMetric(broker, "winnow_spilled_bytes", 0);
            BrokerPages.awaitMetric(broker, "winnow_backlog_bytes", 0);
            assertThat(metric(broker, "winnow_internal_errors_total")).isZero();
        }
        assertThat(spill()).isEmptyDirectory();
    }

    private static double metric(Broker broker, String name) throws IOException {
        return BrokerPages.metric(broker, name).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldDisconnectWhoTakesNothingForTooLong(boolean onDisk) throws IOException {
        try (Broker broker = broker(onDisk, "subscription.spill-timeout", "1s");
                TestClient hung = consumer(broker, "hung", 7, 0);
                TestClient healthy = consumer(broker, "healthy", 9, MUCH);
                TestClient producer = TestClient.connect(broker)) {
            // given
            producer.open(1, "t");
            publish(producer, healthy, 0, 200);

            // when
            ControlFrame.Goodbye goodbye = hung.expect(ControlFrame.Goodbye.class);

            // then
            assertThat(goodbye.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED.number());
            assertThat(goodbye.message())
                    .contains(
                            "slow consumer: topic 't': subscription 7 of ",
                            "'hung'",
                            "taken nothing for 1 s",
                            "subscription.spill-timeout",
                            "destination.slow-consumers=t=block");
            publish(producer, healthy, 200, 300);
        }
    }

    @Test
    void shouldDisconnectForWhomTooMuchWaits() throws IOException {
        try (Broker broker = broker(true, "subscription.spill-buffer", "2MiB");
                TestClient hung = consumer(broker, "hung", 7, 0);
                TestClient healthy = consumer(broker, "healthy", 9, MUCH);
                TestClient producer = TestClient.connect(broker)) {
            // given
            producer.open(1, "t");
            publish(producer, healthy, 0, 3000);

            // when
            ControlFrame.Goodbye goodbye = hung.expect(ControlFrame.Goodbye.class);

            // then
            assertThat(goodbye.message()).contains("subscription.spill-buffer allows (2097152)");
            publish(producer, healthy, 3000, 4000);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldDisconnectWhoHasMostWhenThereIsNoRoom(boolean onDisk) throws IOException {
        try (Broker broker = broker(onDisk, "subscription.total-spill-buffer", "4MiB");
                TestClient most = consumer(broker, "most", 7, 0);
                TestClient healthy = consumer(broker, "healthy", 9, MUCH);
                TestClient producer = TestClient.connect(broker)) {
            // given one that has less than the other
            producer.open(1, "t");
            publish(producer, healthy, 0, 1000);
            try (TestClient less = consumer(broker, "less", 8, 0)) {
                // when
                publish(producer, healthy, 1000, 7000 + (onDisk ? 5000 : 0));

                // then
                assertThat(most.expect(ControlFrame.Goodbye.class).message())
                        .contains(
                                "subscription 7",
                                onDisk ? "subscription.total-spill-buffer" : "without --data");
                assertThat(metric(broker, "winnow_slow_consumers_disconnected_total")).isPositive();
                assertThat(less.propertyNames).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"spill", "block", "drop-oldest:10m", "disconnect:10m"})
    void shouldDisconnectOnlyWhoNeedsWhatIsDamaged(String policy) throws IOException {
        try (Broker broker =
                        broker(
                                true,
                                "destination.slow-consumers",
                                "*=" + policy,
                                "subscription.buffer",
                                "64MiB");
                TestClient hung = consumer(broker, "hung", 7, 0);
                TestClient healthy = consumer(broker, "healthy", 9, MUCH);
                TestClient producer = TestClient.connect(broker)) {
            // given
            producer.open(1, "t");
            publish(producer, healthy, 0, 10_000);
            try (RandomAccessFile file =
                    new RandomAccessFile(spill().resolve("waiting-0").toFile(), "rw")) {
                file.write(new byte[1000]);
            }

            // when
            hung.credit(7, MUCH, MUCH);

            // then
            assertThat(hung.await(ControlFrame.Goodbye.class).message())
                    .contains("subscription 7", "cannot be read", "found other bytes");
            publish(producer, healthy, 10_000, 11_000);
            BrokerPages.awaitMetric(broker, "winnow_spilled_bytes", 0);
        }
    }

    @Test
    void shouldRefuseADirectoryThatCannotBeUsed() throws IOException {
        // given
        Path file = Files.writeString(directory.resolve("file"), "");

        // then
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> broker(true, "subscription.spill-directory", file.toString()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("subscription.spill-directory: " + file);
    }
}
