package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.broker.TestClient.Delivered;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

class SlowConsumerTest {
    private static final String BODY = "x".repeat(1000);
    private static final String DROPPED = "winnow_messages_dropped_total{reason=\"slow-consumer\"}";
    private static final int WINDOW_BYTES = 16 * 1024;

    private static Broker broker(String key, String value) throws IOException {
        Map<String, String> settings =
                new HashMap<>(
                        Map.of(
                                "subscription.buffer",
                                "64KiB",
                                "session.producer-window",
                                String.valueOf(WINDOW_BYTES)));
        settings.put(key, value);
        return new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
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

    @Test
    void shouldDropTheOldestAtOnce() throws IOException {
        try (Broker broker = broker("destination.slow-consumers", "*=drop-oldest:0s");
                TestClient consumer = consumer(broker, "slow", 1, 0);
                TestClient producer = TestClient.connect(broker)) {
            // given more than may wait
            producer.open(1, "t");
            for (int i = 0; i < 300; i++) {
                producer.awaitProducerCredit(2000);
                producer.publish(1, "", Map.of(), i + BODY);
            }
            producer.publishConfirmed(1, "last");
            producer.expect(ControlFrame.Published.class);

            // when
            consumer.credit(1, 1000, 1 << 20);

            // then the newest come, in order
            int next = number(consumer.expect(Delivered.class));
            assertThat(next).isGreaterThan(200);
            while (next < 299) {
                assertThat(number(consumer.expect(Delivered.class))).isEqualTo(++next);
            }
            assertThat(consumer.expect(Delivered.class).body()).isEqualTo("last");
            assertThat(BrokerPages.metric(broker, DROPPED).orElseThrow()).isGreaterThan(200);
        }
    }

    private static int number(Delivered delivered) {
        return Integer.parseInt(delivered.body().substring(0, delivered.body().indexOf('x')));
    }

    @Test
    void shouldDropTheOldestAfterATime() throws IOException {
        try (Broker broker = broker("destination.slow-consumers", "other=block,t=drop-oldest:5s");
                TestClient consumer = consumer(broker, "slow", 1, 0);
                TestClient producer = TestClient.connect(broker)) {
            // given
            producer.open(1, "t");
            int sent = producer.publishUntilBlocked(1, BODY);

            // when
            producer.awaitProducerCredit(WINDOW_BYTES);

            // then
            consumer.credit(1, 1000, 1 << 20);
            assertThat(number(consumer.expect(Delivered.class))).isBetween(1, sent);
        }
    }

    @Test
    void shouldDisconnectAfterATimeAndLetTheProducerGoOn() throws IOException {
        try (Broker broker = broker("destination.slow-consumers", "t=disconnect:5s");
                TestClient consumer = consumer(broker, "slow", 7, 0);
                TestClient healthy = consumer(broker, "healthy", 8, 1 << 30);
                TestClient producer = TestClient.connect(broker)) {
            // given
            producer.open(1, "t");
            int sent = producer.publishUntilBlocked(1, BODY);

            // when
            ControlFrame.Goodbye goodbye = consumer.expect(ControlFrame.Goodbye.class);

            // then
            assertThat(goodbye.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED.number());
            assertThat(goodbye.message()).contains("slow consumer", "subscription 7", "'slow'");
            producer.awaitProducerCredit(WINDOW_BYTES);
            for (int i = 0; i < sent; i++) {
                assertThat(number(healthy.expect(Delivered.class))).isEqualTo(i);
            }
        }
    }

    @Test
    void shouldNameWhoStillHoldsProducersBack() throws IOException {
        try (Broker broker = broker("destination.slow-consumers", "*=block");
                TestClient first = consumer(broker, "first", 1, 0);
                TestClient second = consumer(broker, "second", 2, 0);
                TestClient producer = TestClient.connect(broker);
                TestClient late = TestClient.connect(broker)) {
            for (TestClient relieved : new TestClient[] {second, first}) {
                // given both hold producers back
                int id = relieved == first ? 1 : 2;
                producer.open(id, "t");
                int sent = producer.publishUntilBlocked(id, BODY);

                // when one of them takes what waits
                relieved.credit(id, sent, sent * 2000);
                for (int i = 0; i < sent; i++) {
                    relieved.expect(Delivered.class);
                }

                // then
                late.open(id, "t");
                String other = relieved == first ? "subscription 2" : "subscription 1";
                String client = relieved == first ? "client 'second'" : "client 'first'";
                assertThat(late.expect(ControlFrame.Blocked.class).reason())
                        .contains(other, client, "at /127.0.0.1:");
                assertThat(BrokerPages.get(broker, "/api/v1/topics/t").body())
                        .contains("\"blockedBy\":\"topic 't': " + other);

                // and again when all is taken
                TestClient culprit = relieved == first ? second : first;
                culprit.credit(3 - id, sent, sent * 2000);
                for (int i = 0; i < sent; i++) {
                    culprit.expect(Delivered.class);
                }
                late.awaitProducerCredit(1);
            }
        }
    }

    @Test
    void shouldCloseAConsumerWhoseSocketTakesNothing() throws IOException {
        try (Broker broker = broker("session.unread-timeout", "1s");
                TestClient frozen = consumer(broker, "frozen", 1, 1 << 30);
                TestClient producer = TestClient.connect(broker)) {
            // given
            assertThat(frozen.propertyNames).isEmpty();
            producer.open(1, "t");

            // when it publishes on, then it waits for the consumer, but not for ever
            while (BrokerPages.metric(broker, "winnow_subscriptions").orElseThrow() > 0) {
                for (int i = 0; i < 500; i++) {
                    producer.awaitProducerCredit(2000);
                    producer.publish(1, "", Map.of(), BODY);
                }
            }
        }
    }
}
