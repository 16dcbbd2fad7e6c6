package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.broker.TestClient.Delivered;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

class FlowControlTest {
    private static final String BODY = "x".repeat(1000);

    private Broker broker;

    @BeforeEach
    void start() throws IOException {
        broker = broker("16KiB");
    }

    private static Broker broker(String producerWindow) throws IOException {
        Map<String, String> settings =
                Map.of(
                        "subscription.buffer", "64KiB",
                        "subscription.total-buffer", "256KiB",
                        "destination.slow-consumers", "*=block",
                        "session.producer-window", producerWindow);
        return new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private TestClient stoppedConsumer(String topic) throws IOException {
        TestClient consumer = TestClient.connect(broker);
        consumer.requestSubscription(1, topic, "", "", 0);
        consumer.expect(ControlFrame.Accepted.class);
        return consumer;
    }

    @Test
    void shouldGrantNothingToWhoOpensABlockedTopic() throws IOException {
        try (TestClient consumer = stoppedConsumer("t");
                TestClient producer = TestClient.connect(broker)) {
            // given
            producer.open(1, "t");
            int sent = producer.publishUntilBlocked(1, BODY);

            // when
            producer.send(new ControlFrame.Release(1));
            producer.open(2, "t");

            // then
            ControlFrame.Blocked blocked = producer.expect(ControlFrame.Blocked.class);
            assertThat(blocked.handle()).isEqualTo(2);
            assertThat(blocked.reason()).contains("(subscription.buffer is 65536)");

            // and the window comes when the consumer takes what waits
            consumer.credit(1, sent, sent * 2000);
            producer.awaitProducerCredit(1);
        }
    }

    @Test
    void shouldRefuseAMessageBeforeTheFirstCredit() throws IOException {
        try (TestClient consumer = stoppedConsumer("t");
                TestClient producer = TestClient.connect(broker);
                TestClient second = TestClient.connect(broker)) {
            // given
            producer.open(1, "t");
            producer.publishUntilBlocked(1, BODY);

            // when
            second.open(1, "t");
            second.publish(1, "", Map.of(), BODY);

            // then
            assertThat(second.await(ControlFrame.Goodbye.class).code())
                    .isEqualTo(ErrorCode.FLOW_CONTROL_VIOLATION.number());
            consumer.credit(1, 1, 2000);
            assertThat(consumer.expect(Delivered.class).body()).isEqualTo("0" + BODY);
        }
    }

    @Test
    void shouldNotReadAProducerWhenTheCommonMemoryIsUsedUp() throws IOException {
        try (Broker wide = broker("512KiB");
                TestClient consumer = TestClient.connect(wide);
                TestClient producer = TestClient.connect(wide)) {
            // given ten subscriptions that wait
            for (int id = 1; id <= 10; id++) {
                consumer.requestSubscription(id, "t", "", "", 0);
                consumer.expect(ControlFrame.Accepted.class);
            }
            producer.open(1, "t");
            producer.awaitProducerCredit(1);

            // when it sends more than its credit allows
            for (int i = 0; i < 500; i++) {
                producer.publish(1, "", Map.of(), i + BODY);
            }

            // then what waits is bounded by the limit and what one read brings
            for (int i = 0; i < 50; i++) {
                assertThat(BrokerPages.metric(wide, "winnow_backlog_bytes").orElseThrow())
                        .isLessThan((256 + 64 + 64) * 1024);
            }

            // and nothing is lost
            for (int id = 1; id <= 10; id++) {
                consumer.credit(id, 500, 1 << 30);
            }
            for (int i = 0; i < 5000; i++) {
                consumer.expect(Delivered.class);
            }
            BrokerPages.awaitMetric(wide, "winnow_backlog_bytes", 0);
        }
    }

    @Test
    void shouldFreeATopicWhenOthersGiveTheCommonMemoryBack() throws IOException {
        try (TestClient consumer = stoppedConsumer("small");
                TestClient producer = TestClient.connect(broker)) {
            // given consumers that hold all the memory together, each within its budget
            TestClient[] greedy = new TestClient[5];
            for (int i = 0; i < greedy.length; i++) {
                greedy[i] = stoppedConsumer("t" + i);
                try (TestClient other = TestClient.connect(broker)) {
                    other.open(1, "t" + i);
                    other.publishUntilBlocked(1, BODY);
                }
            }
            producer.open(1, "small");
            producer.publishConfirmed(1, BODY);
            producer.await(ControlFrame.Published.class);
            TestClient late = TestClient.connect(broker);
            late.open(1, "small");
            assertThat(late.expect(ControlFrame.Blocked.class).reason())
                    .contains(
                            "has 1", "all together hold", "(subscription.total-buffer is 262144)");

            // when
            for (TestClient one : greedy) {
                one.close();
            }

            // then
            late.awaitProducerCredit(16 * 1024);
            late.close();
            consumer.credit(1, 1, 2000);
            assertThat(consumer.expect(Delivered.class).body()).isEqualTo(BODY);
        }
    }

    @Test
    void shouldTakeLittleForManySubscriptionsThatWaitForOneMessage() throws IOException {
        Map<String, String> settings = Map.of("subscription.total-buffer", "4MiB");
        TestClient[] consumers = new TestClient[4];
        try (Broker small =
                        new Broker(
                                BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
                TestClient producer = TestClient.connect(small)) {
            // given
            producer.open(1, "t");
            for (int i = 0; i < consumers.length; i++) {
                consumers[i] = TestClient.connect(small);
                for (int id = 1; id <= 10_000; id++) {
                    consumers[i].requestSubscription(id, "t", "", "", 0);
                }
                for (int id = 1; id <= 10_000; id++) {
                    consumers[i].expect(ControlFrame.Accepted.class);
                }
            }
            long before = heapBytes();

            // when
            producer.publishConfirmed(1, "x");
            producer.expect(ControlFrame.Published.class);

            // then
            assertThat(BrokerPages.metric(small, "winnow_backlog_bytes").orElseThrow())
                    .isBetween(1.0, 4.0 * 1024 * 1024);
            assertThat(heapBytes() - before).isLessThan(8 * 1024 * 1024);
            consumers[3].credit(10_000, 1, 2000);
            assertThat(consumers[3].expect(Delivered.class))
                    .isEqualTo(new Delivered(10_000, "", "x"));
            for (TestClient consumer : consumers) {
                consumer.close();
            }
            BrokerPages.awaitMetric(small, "winnow_backlog_bytes", 0);
        }
    }

    /// Bytes of live objects: the least of several collections.
    private static long heapBytes() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    @Test
    void shouldReadTheCreditOfAClientWhoseOwnMessagesMustWait() throws IOException {
        try (TestClient client = stoppedConsumer("t")) {
            // given one that has filled all memory with messages to itself
            client.open(1, "t");
            client.awaitProducerCredit(1);
            for (int i = 0; i < 300; i++) {
                client.publish(1, "", Map.of(), i + BODY);
            }
            client.await(ControlFrame.Blocked.class);

            // when
            client.credit(1, 300, 1 << 30);

            // then
            for (int i = 0; i < 300; i++) {
                assertThat(client.await(Delivered.class).body()).isEqualTo(i + BODY);
            }
        }
    }

    @Test
    void shouldHoldLargeMessagesOfProducersUntilThereIsMemory() throws IOException {
        String large = "y".repeat(1 << 20);
        TestClient[] producers = new TestClient[8];
        try (TestClient consumer = stoppedConsumer("t")) {
            // given
            for (int i = 0; i < producers.length; i++) {
                producers[i] = TestClient.connect(broker);
                producers[i].open(1, "t");
                producers[i].awaitProducerCredit(1);
            }

            // when each sends a large message
            for (int i = 0; i < producers.length; i++) {
                producers[i].publish(1, "", Map.of(), i + large);
            }

            // then one of them waits for the consumer, the others have not been taken
            BrokerPages.awaitMetric(
                    broker, "winnow_frames_partial_bytes", 7 * (large.length() + 10));
            assertThat(BrokerPages.metric(broker, "winnow_backlog_bytes").orElseThrow())
                    .isLessThan(2 * large.length());

            // and all come when the consumer takes them
            consumer.credit(1, 8, 1 << 30);
            Set<String> bodies = new TreeSet<>();
            for (int i = 0; i < producers.length; i++) {
                bodies.add(consumer.expect(Delivered.class).body().substring(0, 2));
            }
            assertThat(bodies).containsExactly("0y", "1y", "2y", "3y", "4y", "5y", "6y", "7y");
            for (TestClient producer : producers) {
                producer.close();
            }
        }
    }

    @Test
    void shouldGiveTheRoomOfHeldMessagesToAFrameThatWaitsForIt() throws IOException {
        String large = "y".repeat(1 << 20);
        Map<String, String> settings =
                Map.of(
                        "subscription.buffer", "64KiB",
                        "subscription.total-buffer", "256KiB",
                        "destination.slow-consumers", "*=block",
                        "transport.max-frame", "1100KiB",
                        "transport.frame-buffer", "2200KiB");
        BrokerConfig config = BrokerConfig.of(settings);
        try (Broker small = new Broker(config, InetAddress.getLoopbackAddress(), 0, 0);
                TestClient consumer = TestClient.connect(small);
                TestClient first = TestClient.connect(small);
                TestClient second = TestClient.connect(small);
                TestClient bystander = TestClient.connect(small)) {
            // given a message that nobody takes, and one that takes the room for large frames
            consumer.requestSubscription(1, "t", "", "", 0);
            consumer.expect(ControlFrame.Accepted.class);
            for (TestClient producer : new TestClient[] {first, second}) {
                producer.open(1, "t");
                producer.awaitProducerCredit(1);
            }
            first.publish(1, "", Map.of(), large);
            BrokerPages.awaitMetric(small, "winnow_topics_blocked", 1);
            second.publish(1, "", Map.of(), large);
            BrokerPages.awaitMetric(small, "winnow_frames_partial_bytes", large.length() + 9);

            // when
            bystander.open(1, "free");
            bystander.publishConfirmed(1, large);

            // then
            bystander.await(ControlFrame.Published.class);
        }
    }
}
