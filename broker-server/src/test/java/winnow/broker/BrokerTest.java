package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import winnow.broker.TestClient.Delivered;
import winnow.broker.matching.MatchingMode;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

/// A real broker with two event loops, driven frame by frame.
@ParameterizedClass
@EnumSource(MatchingMode.class)
class BrokerTest {
    private final MatchingMode matching;
    private Broker broker;

    BrokerTest(MatchingMode matching) {
        this.matching = matching;
    }

    @BeforeEach
    void start() throws IOException {
        Map<String, String> settings =
                Map.of(
                        "transport.event-loops", "2",
                        "subscription.buffer", "16KiB",
                        "session.producer-window", "16KiB",
                        "destination.slow-consumers", "*=block",
                        "destination.matching", matching.name());
        broker = new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldDeliverToEverySubscriptionOfTheTopicInOrder() throws IOException {
        try (TestClient first = TestClient.connect(broker);
                TestClient second = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given
            first.subscribe(1, "prices");
            first.subscribe(300, "prices");
            second.subscribe(7, "prices");
            second.subscribe(8, "other");
            producer.open(1, "prices");

            // when
            for (int i = 0; i < 3; i++) {
                producer.publish(1, "", Map.of(), "m" + i);
            }

            // then
            for (int i = 0; i < 3; i++) {
                assertThat(List.of(next(first), next(first)))
                        .containsExactlyInAnyOrder(
                                new Delivered(1, "", "m" + i), new Delivered(300, "", "m" + i));
                assertThat(next(second)).isEqualTo(new Delivered(7, "", "m" + i));
            }
        }
    }

    @Test
    void shouldSendOneFrameToSeveralSubscriptionsOfAConnection() throws IOException {
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given three that match all, one that matches each other, one without credit
            consumer.subscribe(1, "t");
            consumer.subscribe(20_000, "t");
            consumer.subscribe(3, "t", "n = n", "");
            consumer.subscribe(4, "t", "n = 1", "");
            consumer.requestSubscription(5, "t", "", "", 0);
            consumer.expect(ControlFrame.Accepted.class);
            producer.open(1, "t");

            // when
            for (int i = 0; i < 100; i++) {
                producer.awaitProducerCredit(1);
                producer.publish(1, "", Map.of("n", i % 2), "x".repeat(i) + i);
            }

            // then
            for (int i = 0; i < 100; i++) {
                List<Integer> ids = new ArrayList<>();
                for (int copies = 3 + i % 2; copies > 0; copies--) {
                    Delivered copy = next(consumer);
                    assertThat(copy.body()).isEqualTo("x".repeat(i) + i);
                    ids.add(copy.subscriptionId());
                }
                assertThat(ids).contains(1, 20_000, 3).doesNotHaveDuplicates();
            }
            // On a slow machine a match may be cut, and a message come in two frames.
            assertThat(consumer.sharedDeliveries).isBetween(80, 120);

            // and what waited costs what it would have cost alone
            consumer.credit(5, 1, 1);
            assertThat(next(consumer)).isEqualTo(new Delivered(5, "", "0"));
        }
    }

    @Test
    void shouldEndASubscriptionThatIsStillBeingMade() throws IOException {
        try (TestClient client = TestClient.connect(broker)) {
            // given a selector that takes its time
            String selector = "x = 1 OR ".repeat(2000) + "y = 2";

            // when its subscription is ended before it is there, and its id used again
            client.requestSubscription(1, "t", selector, "", 0);
            client.unsubscribe(1);
            client.requestSubscription(1, "u", "", "", TestClient.MUCH);

            // then each request is answered
            assertThat(
                            Stream.of(1, 2, 3)
                                    .map(_ -> accepted(client))
                                    .sorted(Comparator.comparing(id -> id == 3))
                                    .toList())
                    .containsExactly(1, 2, 3);

            // and the second subscription is there alone
            client.open(1, "t");
            client.open(2, "u");
            client.publish(1, "", Map.of("y", 2), "to the first");
            client.publish(2, "", Map.of(), "to the second");
            assertThat(next(client).body()).isEqualTo("to the second");
            BrokerPages.awaitMetric(broker, "winnow_subscriptions", 1);
        }
    }

    private static int accepted(TestClient client) {
        try {
            return client.expect(ControlFrame.Accepted.class).requestId();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldRefuseToEndASubscriptionThatIsRefused() throws IOException {
        try (TestClient client = TestClient.connect(broker)) {
            // when
            client.requestSubscription(1, "t", "x = ", "", 0);
            client.unsubscribe(1);

            // then
            ControlFrame.Refused first = client.expect(ControlFrame.Refused.class);
            assertThat(first.requestId()).isEqualTo(1);
            assertThat(first.code()).isEqualTo(ErrorCode.INVALID_SELECTOR.number());
            ControlFrame.Refused second = client.expect(ControlFrame.Refused.class);
            assertThat(second.requestId()).isEqualTo(2);
            assertThat(second.code()).isEqualTo(ErrorCode.UNKNOWN_SUBSCRIPTION.number());
        }
    }

    @Test
    void shouldGiveNumbersToPropertyNamesThatFitADictionaryAlone() throws IOException {
        String longName = "n".repeat(300);
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given
            consumer.subscribe(1, "t", longName + " = 1 AND region = 1", "");
            producer.open(1, "t");

            // when
            for (String name :
                    List.of(longName, "é".repeat(128), "x".repeat(1 << 20), "", "a\nb", "region")) {
                producer.send(new ControlFrame.Intern(name));
            }
            producer.open(2, "u");
            producer.publish(1, "", Map.of(longName, 1, "#1", 1), "m");

            // then
            assertThat(producer.propertyNames).containsExactly("region");
            assertThat(next(consumer).body()).isEqualTo("m");
            assertThat(consumer.propertyNames).containsExactly("region");
        }
    }

    @Test
    void shouldShareLargeMessagesInOrderWithSmallOnes() throws IOException {
        try (TestClient first = TestClient.connect(broker);
                TestClient second = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given
            first.subscribe(1, "t");
            first.subscribe(300, "t", "n = 1", "");
            second.subscribe(2, "t");
            producer.open(1, "t");

            // when bodies of 1 byte to 200 KiB take turns
            for (int i = 0; i < 60; i++) {
                producer.awaitProducerCredit(1);
                producer.publish(1, "", Map.of("n", i % 3), text(i));
            }

            // then
            for (int i = 0; i < 60; i++) {
                assertThat(next(second)).isEqualTo(new Delivered(2, "", text(i)));
                assertThat(next(first)).isEqualTo(new Delivered(1, "", text(i)));
                if (i % 3 == 1) {
                    assertThat(next(first)).isEqualTo(new Delivered(300, "", text(i)));
                }
            }
        }
    }

    private static String text(int number) {
        int[] sizes = {1, 8 * 1024, 200 * 1024, 100, 16 * 1024};
        return String.valueOf((char) ('a' + number % 26)).repeat(sizes[number % sizes.length]);
    }

    @Test
    void shouldFilterByCorrelationIdSelectorAndBoth() throws IOException {
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given
            consumer.subscribe(1, "t", "", "[#7;#13]");
            consumer.subscribe(2, "t", "p = '#0'", "");
            consumer.subscribe(3, "t", "q > 4 AND JMSCorrelationID = '#7'", "");
            consumer.subscribe(4, "t", "p = '#0'", "#9");
            consumer.subscribe(5, "t", "", "");
            producer.open(1, "t");

            // when
            producer.publish(1, "#7", Map.of("q", 5), "a");
            producer.publish(1, "#9", Map.of("p", "#0"), "b");
            producer.publish(1, "#14", Map.of("p", "#1", "q", 9), "c");

            // then
            assertThat(deliveries(consumer, 7))
                    .containsExactlyInAnyOrder("1:a", "3:a", "5:a", "1:b", "2:b", "4:b", "5:b");
            assertThat(next(consumer)).isEqualTo(new Delivered(5, "#14", "c"));
        }
    }

    @Test
    void shouldReadPropertiesByTheirNumbers() throws IOException {
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given a name that was numbered before and one that a selector came to use afterwards
            producer.open(1, "t");
            producer.send(new ControlFrame.Intern("a"));
            producer.send(new ControlFrame.Intern("b"));
            consumer.subscribe(1, "t", "a = 1", "");
            producer.open(2, "t");
            producer.publish(1, "", Map.of("#1", 1, "#2", 2), "first");
            assertThat(next(consumer).body()).isEqualTo("first");

            // when
            consumer.subscribe(2, "t", "b = 2", "");
            producer.publish(1, "", Map.of("#1", 0, "#2", 2), "second");

            // then
            assertThat(next(consumer)).isEqualTo(new Delivered(2, "", "second"));
        }
    }

    @Test
    void shouldNotDeliverToNoLocalSubscriptionsOfTheSameConnection() throws IOException {
        try (TestClient client = TestClient.connect(broker);
                TestClient other = TestClient.connect(broker)) {
            // given
            winnow.wire.Source source =
                    new winnow.wire.Source(winnow.wire.DestinationKind.TOPIC, "t", "", "");
            client.send(new ControlFrame.Subscribe(900, 1, source, true, 100, 10_000));
            client.expect(ControlFrame.Accepted.class);
            client.open(1, "t");
            other.open(1, "t");

            // when
            client.publishConfirmed(1, "mine");
            client.expect(ControlFrame.Published.class);
            other.publish(1, "", Map.of(), "theirs");

            // then
            assertThat(next(client).body()).isEqualTo("theirs");
        }
    }

    @Test
    void shouldConfirmPublishesByCounting() throws IOException {
        try (TestClient producer = TestClient.connect(broker)) {
            // given
            producer.open(1, "t");

            // when
            for (int i = 0; i < 5; i++) {
                producer.publishConfirmed(1, "m");
            }

            // then
            long count = 0;
            while (count < 5) {
                long next = producer.expect(ControlFrame.Published.class).count();
                assertThat(next).isGreaterThan(count);
                count = next;
            }
            assertThat(count).isEqualTo(5);
        }
    }

    @Test
    void shouldRefuseAPublishOnAnUnknownHandleAndGoOn() throws IOException {
        try (TestClient producer = TestClient.connect(broker)) {
            // when
            producer.publishConfirmed(5, "lost");

            // then
            ControlFrame.PublishRefused refused = producer.await(ControlFrame.PublishRefused.class);
            assertThat(refused.sequence()).isEqualTo(1);
            assertThat(refused.code()).isEqualTo(ErrorCode.UNKNOWN_HANDLE.number());
        }
    }

    @Test
    void shouldRefuseABadSelectorWithItsPlaceAndGoOn() throws IOException {
        try (TestClient client = TestClient.connect(broker)) {
            // when
            client.requestSubscription(1, "t", "price = AND", "", 10);
            ControlFrame.Refused refused = client.expect(ControlFrame.Refused.class);

            // then
            assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_SELECTOR.number());
            assertThat(refused.message()).contains("line 1 column 9").contains("AND");
            client.subscribe(1, "t", "price = 3", "");
        }
    }

    @Test
    void shouldEndASubscription() throws IOException {
        try (TestClient client = TestClient.connect(broker)) {
            // given
            client.subscribe(1, "t");
            client.subscribe(2, "t");
            client.open(1, "t");

            // when
            client.unsubscribe(1);
            client.expect(ControlFrame.Accepted.class);
            client.publish(1, "", Map.of(), "m");

            // then
            assertThat(next(client)).isEqualTo(new Delivered(2, "", "m"));
            client.unsubscribe(1);
            assertThat(client.expect(ControlFrame.Refused.class).code())
                    .isEqualTo(ErrorCode.UNKNOWN_SUBSCRIPTION.number());
        }
    }

    @Test
    void shouldHoldProducersBackWithoutLosingAnything() throws IOException {
        String body = "x".repeat(1000);
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given a consumer that takes nothing
            consumer.requestSubscription(1, "t", "", "", 0);
            consumer.expect(ControlFrame.Accepted.class);
            producer.open(1, "t");

            // when
            int sent = producer.publishUntilBlocked(1, body);

            // then what waits is bounded by the subscription's buffer, one window, and what may be
            // on its way between the loops: credit comes back before the other loop has taken it
            assertThat(sent).isBetween(16, 2 * 32 + 2 + 4 * 1024);

            // and everything arrives, once and in order, when the consumer gives credit
            for (int i = 0; i < sent; i++) {
                consumer.credit(1, 1, 2000);
                assertThat(next(consumer).body()).isEqualTo(i + body);
            }
            producer.awaitProducerCredit(1);
        }
    }

    @Test
    void shouldHoldProducersBackWhenAConsumerDoesNotReadItsSocket() throws IOException {
        String body = "x".repeat(1000);
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given a consumer that has given much credit and reads nothing
            consumer.subscribe(1, "t");
            producer.open(1, "t");

            // when the sockets are full
            int sent = producer.publishUntilBlocked(1, body);

            // then nothing is lost, doubled or reordered when it reads
            assertThat(sent).isGreaterThan(500);
            for (int i = 0; i < sent; i++) {
                assertThat(next(consumer).body()).isEqualTo(i + body);
            }
        }
    }

    @Test
    void shouldFreeProducersWhenTheSlowConsumerGoes() throws IOException {
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given
            consumer.requestSubscription(1, "t", "", "", 0);
            consumer.expect(ControlFrame.Accepted.class);
            producer.open(1, "t");
            producer.publishUntilBlocked(1, "x".repeat(1000));

            // when
            consumer.disconnect();

            // then
            producer.awaitProducerCredit(8000);
        }
    }

    @Test
    void shouldRefuseAClientThatIgnoresItsCredit() throws IOException {
        Map<String, String> small =
                Map.of(
                        "transport.max-frame", "8KiB",
                        "session.producer-window", "4KiB",
                        "destination.slow-consumers", "*=block",
                        "subscription.buffer", "16KiB");
        try (Broker strict =
                        new Broker(BrokerConfig.of(small), InetAddress.getLoopbackAddress(), 0, 0);
                TestClient consumer = TestClient.connect(strict);
                TestClient producer = TestClient.connect(strict)) {
            // given a topic that is blocked, and a client that has kept within its credit
            consumer.requestSubscription(1, "t", "", "", 0);
            consumer.expect(ControlFrame.Accepted.class);
            producer.open(1, "t");
            producer.publishUntilBlocked(1, "x".repeat(1000));
            producer.open(2, "other");

            // when
            producer.publishAtOnce(1, 30, "x".repeat(1000));

            // then
            assertThat(producer.await(ControlFrame.Goodbye.class).code())
                    .isEqualTo(ErrorCode.FLOW_CONTROL_VIOLATION.number());
        }
    }

    @Test
    void shouldForgetTopicsThatNobodyUses() throws IOException {
        try (TestClient client = TestClient.connect(broker)) {
            client.open(1, "a");
            client.subscribe(1, "b");
            client.unsubscribe(1);
            client.expect(ControlFrame.Accepted.class);
            client.send(new ControlFrame.Release(1));
            client.open(2, "c");
        }
        BrokerPages.awaitMetric(broker, "winnow_topics", 0);
        BrokerPages.awaitMetric(broker, "winnow_connections_open", 0);
        BrokerPages.awaitMetric(broker, "winnow_subscriptions", 0);
    }

    private static Delivered next(TestClient client) throws IOException {
        return client.expect(Delivered.class);
    }

    private static List<String> deliveries(TestClient client, int count) throws IOException {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Delivered delivery = next(client);
            found.add(delivery.subscriptionId() + ":" + delivery.body());
        }
        return found;
    }
}
