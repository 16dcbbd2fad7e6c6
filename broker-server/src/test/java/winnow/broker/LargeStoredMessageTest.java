package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.wire.ConsumerRole;
import winnow.wire.DestinationKind;
import winnow.wire.Source;
import winnow.wire.frame.BeginSession;
import winnow.wire.frame.Consume;

/// Messages of queues and durable subscriptions that come as one large frame.
class LargeStoredMessageTest {
    private static final int CREDIT_BYTES = 1 << 28;
    private static final String LARGE = "x".repeat(15_000_000);

    private Broker broker;

    @BeforeEach
    void start() throws IOException {
        broker =
                new Broker(
                        BrokerConfig.of(Map.of("transport.event-loops", "1")),
                        InetAddress.getLoopbackAddress(),
                        0,
                        0);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private TestClient client(String clientId) throws IOException {
        TestClient client = new TestClient(broker.address());
        client.greet(clientId);
        client.request(id -> new BeginSession(id, 1, false));
        return client;
    }

    private static void consume(
            TestClient client, int consumer, ConsumerRole role, String destination)
            throws IOException {
        DestinationKind kind = role.isQueue() ? DestinationKind.QUEUE : DestinationKind.TOPIC;
        client.request(id ->
                new Consume(
                        id,
                        consumer,
                        1,
                        role,
                        new Source(kind, destination, "", ""),
                        role.isQueue() ? "" : "s",
                        false,
                        100,
                        CREDIT_BYTES));
    }

    private static TestClient.Stored receive(TestClient client) throws IOException {
        return client.take(TestClient.Stored.class);
    }

    @Test
    void shouldDeliverAMessageAgainWhoseConnectionEndedWhileItWasSent() throws IOException {
        // given
        try (TestClient producer = client("")) {
            producer.send(DestinationKind.QUEUE, "q", 1, "before");
            producer.send(DestinationKind.QUEUE, "q", 1, LARGE);
            producer.send(DestinationKind.QUEUE, "q", 1, "behind");
        }
        try (TestClient ending = client("")) {
            consume(ending, 1, ConsumerRole.QUEUE, "q");
            assertThat(receive(ending).body()).isEqualTo("before");
        }

        // when
        try (TestClient next = client("")) {
            consume(next, 1, ConsumerRole.QUEUE, "q");

            // then
            assertThat(receive(next).body()).isEqualTo("before");
            assertThat(receive(next).body().equals(LARGE)).isTrue();
            assertThat(receive(next).body()).isEqualTo("behind");
        }
    }

    @Test
    void shouldDeliverLargeAndSmallMessagesOfAConnectionInOrder() throws IOException {
        // given
        try (TestClient client = client("ann");
                TestClient producer = client("")) {
            consume(client, 1, ConsumerRole.DURABLE, "t");
            consume(client, 2, ConsumerRole.QUEUE, "q");

            // when
            for (int i = 0; i < 3; i++) {
                producer.send(DestinationKind.TOPIC, "t", 1, "small" + i);
                producer.send(DestinationKind.QUEUE, "q", 2, LARGE + i);
                producer.send(DestinationKind.TOPIC, "t", 1, LARGE + i);
                producer.send(DestinationKind.QUEUE, "q", 2, "small" + i);
            }
            Map<Integer, List<String>> received = new HashMap<>();
            for (int i = 0; i < 12; i++) {
                TestClient.Stored one = receive(client);
                assertThat(one.body().length()).isIn(6, LARGE.length() + 1);
                String end = one.body().substring(Math.max(0, one.body().length() - 6));
                received.computeIfAbsent(one.consumer(), _ -> new ArrayList<>()).add(end);
            }

            // then
            assertThat(received.get(1))
                    .containsExactly("small0", "xxxxx0", "small1", "xxxxx1", "small2", "xxxxx2");
            assertThat(received.get(2))
                    .containsExactly("xxxxx0", "small0", "xxxxx1", "small1", "xxxxx2", "small2");
        }
    }
}
