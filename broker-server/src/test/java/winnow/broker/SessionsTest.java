package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.wire.ConsumerRole;
import winnow.wire.DeliveryRanges;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.Source;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.BrowseEnd;
import winnow.wire.frame.Commit;
import winnow.wire.frame.Consume;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.CreateTemporary;
import winnow.wire.frame.DeleteSubscription;
import winnow.wire.frame.DeleteTemporary;
import winnow.wire.frame.EndConsumer;
import winnow.wire.frame.EndSession;
import winnow.wire.frame.Mark;
import winnow.wire.frame.Recover;

/// Sessions of a real broker over the wire: what docs/PROTOCOL.md, 4 promises.
class SessionsTest {
    private static final int MUCH = 1 << 20;
    private static final DestinationKind QUEUE = DestinationKind.QUEUE;
    private static final DestinationKind TOPIC = DestinationKind.TOPIC;

    @TempDir private Path data;

    private Broker broker;
    private final List<TestClient> clients = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        start(Map.of());
    }

    private void start(Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.put("storage.directory", data.resolve("store").toString());
        broker = new Broker(BrokerConfig.of(all), InetAddress.getLoopbackAddress(), 0, 0);
    }

    @AfterEach
    void stop() throws IOException {
        // A broker that stops waits for its clients.
        for (TestClient client : clients) {
            client.close();
        }
        broker.close();
    }

    private void restart() throws IOException {
        broker.close();
        start();
    }

    private TestClient client(String clientId) throws IOException {
        TestClient client = new TestClient(broker.address());
        client.greet(clientId);
        clients.add(client);
        return client;
    }

    private static void begin(TestClient client, int session, boolean transacted)
            throws IOException {
        client.request(id -> new BeginSession(id, session, transacted));
    }

    private static Consume consume(
            int id,
            int consumer,
            ConsumerRole role,
            String destination,
            String selector,
            String name) {
        DestinationKind kind = role.isQueue() ? QUEUE : TOPIC;
        return new Consume(
                id,
                consumer,
                1,
                role,
                new Source(kind, destination, selector, ""),
                name,
                false,
                100,
                MUCH);
    }

    private static void receiveFrom(TestClient client, int consumer, String queue)
            throws IOException {
        client.request(id -> consume(id, consumer, ConsumerRole.QUEUE, queue, "", ""));
    }

    private static void acknowledge(TestClient client, long... deliveries) throws IOException {
        client.request(id -> new Acknowledge(id, 1, DeliveryRanges.of(deliveries)));
    }

    @Test
    void shouldKeepWhatIsNotAcknowledgedOverARestart() throws IOException {
        // given
        TestClient client = client("");
        client.send(QUEUE, "q", 1, "a");
        client.send(QUEUE, "q", 1, "b");
        begin(client, 1, false);
        receiveFrom(client, 1, "q");
        assertThat(client.await(TestClient.Stored.class))
                .isEqualTo(new TestClient.Stored(1, 1, 0, "a"));
        acknowledge(client, 1);

        // when
        restart();
        TestClient later = client("");
        begin(later, 1, false);
        receiveFrom(later, 1, "q");

        // then
        TestClient.Stored stored = later.await(TestClient.Stored.class);
        assertThat(stored.body()).isEqualTo("b");
        assertThat(stored.earlier()).isEqualTo(1);
    }

    @Test
    void shouldGiveBackWhatIsRecovered() throws IOException {
        // given
        TestClient client = client("");
        begin(client, 1, false);
        receiveFrom(client, 1, "q");
        client.send(QUEUE, "q", 1, "a");
        client.send(QUEUE, "q", 1, "b");
        client.await(TestClient.Stored.class);
        client.await(TestClient.Stored.class);

        // when
        client.request(id -> new Recover(id, 1, DeliveryRanges.of(1)));

        // then
        assertThat(client.await(TestClient.Stored.class))
                .isEqualTo(new TestClient.Stored(1, 3, 1, "a"));
        assertThat(client.await(TestClient.Stored.class))
                .isEqualTo(new TestClient.Stored(1, 4, 0, "b"));
    }

    @Test
    void shouldCountWhatTheApplicationHadWhenItsConnectionIsLost() throws IOException {
        // given
        broker.close();
        start(Map.of("queue.max-deliveries", "3", "queue.redelivery-delay", "0s"));
        TestClient sender = client("");
        sender.send(QUEUE, "q", 1, "seen");
        sender.send(QUEUE, "q", 1, "ahead");

        // when
        List<Integer> seen = new ArrayList<>();
        for (int loss = 0; loss < 3; loss++) {
            TestClient lost = client("");
            begin(lost, 1, false);
            receiveFrom(lost, 1, "q");
            seen.add(lost.await(TestClient.Stored.class).earlier());
            lost.await(TestClient.Stored.class);
            lost.send(new Mark(1, Mark.Fate.SEEN, 1));
            lost.close();
        }

        // then
        assertThat(seen).containsExactly(0, 1, 2);
        begin(sender, 1, false);
        receiveFrom(sender, 1, "winnow.dead");
        assertThat(sender.await(TestClient.Stored.class).body()).isEqualTo("seen");
        receiveFrom(sender, 2, "q");
        assertThat(sender.await(TestClient.Stored.class))
                .isEqualTo(new TestClient.Stored(2, 2, 1, "ahead"));
    }

    @Test
    void shouldCommitWhatATransactionSendsAndReceives() throws IOException {
        // given
        TestClient client = client("");
        client.send(QUEUE, "in", 1, "a");
        begin(client, 1, true);
        receiveFrom(client, 1, "in");
        client.await(TestClient.Stored.class);
        client.sendTransacted(1, QUEUE, "out", 2, "b");
        TestClient other = client("");
        begin(other, 1, false);
        receiveFrom(other, 1, "out");
        other.subscribe(9, "topic");
        client.sendTransacted(1, TOPIC, "topic", 3, "c");

        // when
        client.request(id -> new Commit(id, 1, "tx", DeliveryRanges.of(1)));

        // then
        assertThat(other.await(TestClient.Stored.class).body()).isEqualTo("b");
        client.request(id -> new Recover(id, 1, DeliveryRanges.NONE));
        client.request(id -> new Acknowledge(id, 1, DeliveryRanges.NONE));
        restart();
        TestClient later = client("");
        begin(later, 1, false);
        receiveFrom(later, 1, "in");
        later.send(QUEUE, "in", 1, "d");
        assertThat(later.await(TestClient.Stored.class).body()).isEqualTo("d");
    }

    @Test
    void shouldGiveBackWhatARefusedTransactionReceived() throws IOException {
        // given
        broker.close();
        start(Map.of("queue.policies", "full=max-messages:1"));
        TestClient client = client("");
        client.send(QUEUE, "in", 1, "a");
        client.send(QUEUE, "full", 2, "b");
        begin(client, 1, true);
        receiveFrom(client, 1, "in");
        client.await(TestClient.Stored.class);
        client.sendTransacted(1, QUEUE, "full", 2, "c");

        // when
        client.refused(ErrorCode.ROLLED_BACK, id -> new Commit(id, 1, "", DeliveryRanges.of(1)));
        client.request(id -> new Recover(id, 1, DeliveryRanges.of(1)));

        // then
        assertThat(client.await(TestClient.Stored.class))
                .isEqualTo(new TestClient.Stored(1, 2, 1, "a"));
    }

    @Test
    void shouldRefuseAConsumerOfASessionThatEndsMeanwhile() throws IOException {
        // given
        TestClient client = client("");
        begin(client, 1, false);

        // when
        client.hold();
        client.send(consume(101, 1, ConsumerRole.QUEUE, "q", "n > 1", ""));
        client.send(new EndSession(102, 1, DeliveryRanges.NONE));
        client.sendHeld();

        // then
        List<Integer> answered = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            switch (client.expect(ControlFrame.class)) {
                case ControlFrame.Accepted accepted -> answered.add(accepted.requestId());
                case ControlFrame.Refused refused -> answered.add(refused.requestId());
                case ControlFrame other -> fail("expected an answer, found " + other);
            }
        }
        assertThat(answered).containsExactlyInAnyOrder(101, 102);
    }

    @Test
    void shouldCountConsumersOfSessionsAndLiveSubscriptionsTogether() throws IOException {
        // given
        broker.close();
        start(Map.of("session.max-subscriptions", "2"));
        TestClient client = client("");
        begin(client, 1, false);

        // when
        client.subscribe(1, "t");
        receiveFrom(client, 2, "q");

        // then
        String refused =
                client.refused(
                        ErrorCode.LIMIT_EXCEEDED,
                        id -> consume(id, 3, ConsumerRole.QUEUE, "q", "", ""));
        assertThat(refused)
                .startsWith(
                        "expected at most 2 subscriptions and consumers on one connection"
                                + " (session.max-subscriptions), found 3; close some");
        client.request(id -> new EndConsumer(id, 2, DeliveryRanges.NONE));
        receiveFrom(client, 3, "q");
    }

    @Test
    void shouldLimitSessionsAndTemporaryDestinations() throws IOException {
        // given
        broker.close();
        start(Map.of("session.max-sessions", "1", "session.max-handles", "1"));
        TestClient client = new TestClient(broker.address());
        String name = Protocol.TEMPORARY_PREFIX + "%016x/".formatted(client.greet(""));
        begin(client, 1, false);
        client.request(id -> new CreateTemporary(id, QUEUE, name + 1));

        // when
        String session =
                client.refused(ErrorCode.LIMIT_EXCEEDED, id -> new BeginSession(id, 2, false));
        String temporary =
                client.refused(
                        ErrorCode.LIMIT_EXCEEDED, id -> new CreateTemporary(id, QUEUE, name + 2));

        // then
        assertThat(session)
                .startsWith("expected at most 1 sessions that acknowledge on one connection")
                .contains("(session.max-sessions), found 2");
        assertThat(temporary)
                .startsWith("expected at most 1 temporary destinations on one connection")
                .contains("(session.max-handles), found 2");
        client.close();
    }

    @Test
    void shouldForgetWhatARolledBackTransactionSends() throws IOException {
        // given
        TestClient client = client("");
        begin(client, 1, true);
        client.sendTransacted(1, QUEUE, "q", 1, "a");

        // when
        client.request(id -> new Recover(id, 1, DeliveryRanges.NONE));
        client.request(id -> new Commit(id, 1, "", DeliveryRanges.NONE));

        // then
        receiveFrom(client, 1, "q");
        client.send(QUEUE, "q", 1, "b");
        assertThat(client.await(TestClient.Stored.class).body()).isEqualTo("b");
    }

    @Test
    void shouldGiveAQueuesConsumersWhatTheirSelectorsWant() throws IOException {
        // given
        TestClient client = client("");
        client.openOnce(QUEUE, "q", 1);
        client.awaitProducerCredit(1);
        client.publish(1, "", Map.of("n", 1), "one");
        client.publish(1, "", Map.of("n", 2), "two");
        begin(client, 1, false);

        // when
        client.request(id -> consume(id, 1, ConsumerRole.QUEUE, "q", "n = 2", ""));
        client.publish(1, "", Map.of("n", 2), "more");

        // then
        assertThat(client.await(TestClient.Stored.class).body()).isEqualTo("two");
        assertThat(client.await(TestClient.Stored.class).body()).isEqualTo("more");
        receiveFrom(client, 2, "q");
        assertThat(client.await(TestClient.Stored.class))
                .isEqualTo(new TestClient.Stored(2, 3, 0, "one"));
    }

    @Test
    void shouldKeepWhatADurableSubscriptionWants() throws IOException {
        // given
        TestClient subscriber = client("c");
        begin(subscriber, 1, false);
        subscriber.request(id -> consume(id, 1, ConsumerRole.DURABLE, "t", "n = 1", "all"));
        subscriber.request(id -> new EndSession(id, 1, DeliveryRanges.NONE));
        TestClient publisher = client("");
        publisher.openOnce(TOPIC, "t", 1);
        publisher.awaitProducerCredit(1);
        publisher.publish(1, "", Map.of("n", 2), "unwanted");
        publisher.send(TOPIC, "t", 1, "without");
        publisher.publish(1, "", Map.of("n", 1), "kept in memory");

        // when
        begin(subscriber, 1, false);
        subscriber.refused(
                ErrorCode.SUBSCRIPTION_IN_USE,
                id -> consume(id, 1, ConsumerRole.SHARED_DURABLE, "t", "n = 1", "all"));
        subscriber.request(id -> consume(id, 2, ConsumerRole.DURABLE, "t", "n = 1", "all"));

        // then
        assertThat(subscriber.await(TestClient.Stored.class).body()).isEqualTo("kept in memory");
        subscriber.refused(ErrorCode.SUBSCRIPTION_IN_USE, id -> new DeleteSubscription(id, "all"));
        subscriber.request(id -> new EndConsumer(id, 2, DeliveryRanges.of(1)));
        subscriber.refused(ErrorCode.SUBSCRIPTION_IN_USE, id -> new DeleteSubscription(id, "all"));
        subscriber.request(id -> new EndSession(id, 1, DeliveryRanges.NONE));
        subscriber.request(id -> new DeleteSubscription(id, "all"));
        subscriber.refused(ErrorCode.UNKNOWN_SUBSCRIPTION, id -> new DeleteSubscription(id, "all"));
    }

    @Test
    void shouldFindDurableSubscriptionsAfterARestart() throws IOException {
        // given
        TestClient subscriber = client("c");
        begin(subscriber, 1, false);
        subscriber.request(id -> consume(id, 1, ConsumerRole.DURABLE, "t", "", "all"));
        subscriber.request(id -> consume(id, 2, ConsumerRole.DURABLE, "t", "x IS NULL", "some"));
        restart();

        // when
        client("").send(TOPIC, "t", 1, "a");
        restart();

        // then
        TestClient later = client("c");
        begin(later, 1, false);
        later.request(id -> consume(id, 1, ConsumerRole.DURABLE, "t", "", "all"));
        assertThat(later.await(TestClient.Stored.class).consumer()).isEqualTo(1);
        later.request(id -> consume(id, 2, ConsumerRole.DURABLE, "t", "x IS NULL", "some"));
        assertThat(later.await(TestClient.Stored.class).consumer()).isEqualTo(2);
    }

    @Test
    void shouldShareASubscriptionThatEndsWithItsLastConsumer() throws IOException {
        // given
        TestClient one = client("");
        TestClient two = client("");
        begin(one, 1, false);
        begin(two, 1, false);
        one.request(id -> consume(id, 1, ConsumerRole.SHARED, "t", "", "s"));
        two.request(id -> consume(id, 1, ConsumerRole.SHARED, "t", "", "s"));

        // when
        TestClient publisher = client("");
        publisher.send(TOPIC, "t", 1, "a");
        publisher.send(TOPIC, "t", 1, "b");

        // then
        assertThat(
                        List.of(
                                one.await(TestClient.Stored.class).body(),
                                two.await(TestClient.Stored.class).body()))
                .containsExactlyInAnyOrder("a", "b");
        one.request(id -> new EndSession(id, 1, DeliveryRanges.NONE));
        two.request(id -> new EndSession(id, 1, DeliveryRanges.NONE));
        begin(one, 1, false);
        one.request(id -> consume(id, 1, ConsumerRole.SHARED, "t", "", "s"));
        publisher.send(TOPIC, "t", 1, "c");
        assertThat(one.await(TestClient.Stored.class).body()).isEqualTo("c");
    }

    @Test
    void shouldEndTemporaryQueuesWithTheirConnection() throws IOException {
        // given
        TestClient requestor = new TestClient(broker.address());
        long connection = requestor.greet("");
        String name = Protocol.TEMPORARY_PREFIX + "%016x/1".formatted(connection);
        requestor.request(id -> new CreateTemporary(id, QUEUE, name));
        begin(requestor, 1, false);
        receiveFrom(requestor, 1, name);
        TestClient replier = client("");
        begin(replier, 1, false);

        // when
        replier.send(QUEUE, name, 1, "reply");

        // then
        assertThat(requestor.await(TestClient.Stored.class).body()).isEqualTo("reply");
        replier.refused(
                ErrorCode.INVALID_DESTINATION,
                id -> consume(id, 1, ConsumerRole.QUEUE, name, "", ""));
        requestor.refused(ErrorCode.DESTINATION_IN_USE, id -> new DeleteTemporary(id, QUEUE, name));
        requestor.request(id -> new EndConsumer(id, 1, DeliveryRanges.NONE));
        requestor.request(id -> new DeleteTemporary(id, QUEUE, name));
        client("")
                .refused(
                        ErrorCode.INVALID_DESTINATION,
                        id -> new ControlFrame.Open(id, 1, QUEUE, name));
    }

    @Test
    void shouldBrowseWithoutTaking() throws IOException {
        // given
        TestClient client = client("");
        client.send(QUEUE, "q", 1, "a");
        client.send(QUEUE, "q", 1, "b");
        begin(client, 1, false);

        // when
        client.request(id -> consume(id, 1, ConsumerRole.BROWSER, "q", "", ""));

        // then
        assertThat(client.await(TestClient.Stored.class))
                .isEqualTo(new TestClient.Stored(1, 0, 0, "a"));
        assertThat(client.await(TestClient.Stored.class).body()).isEqualTo("b");
        assertThat(client.await(BrowseEnd.class).consumer()).isEqualTo(1);
        receiveFrom(client, 2, "q");
        assertThat(client.await(TestClient.Stored.class))
                .isEqualTo(new TestClient.Stored(2, 1, 0, "a"));
    }
}
