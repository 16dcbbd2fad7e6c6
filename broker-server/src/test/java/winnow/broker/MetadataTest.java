package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

/// What clients register is charged to a budget, refused beyond it, and given back.
class MetadataTest {
    private static final String USED = "winnow_metadata_bytes";
    private static final int FREE = 0;

    private final Broker broker = broker();

    private static Broker broker() {
        Map<String, String> settings =
                Map.of(
                        "session.metadata.total", "256KiB",
                        "session.metadata.connection", "128KiB");
        try {
            return new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    /// Subscribes until it is refused.
    ///
    /// @return the refusal
    private static ControlFrame.Refused fill(TestClient client, int firstId, String name)
            throws IOException {
        for (int id = firstId; id < firstId + 1_000; id++) {
            String selector = name + " = '" + id + "'";
            client.requestSubscription(id, "t", selector, "", 0);
            ControlFrame answer = client.expect(ControlFrame.class);
            if (answer instanceof ControlFrame.Refused refused) {
                return refused;
            }
        }
        throw new AssertionError("never refused");
    }

    @Test
    void shouldRefuseWhatAConnectionHasNoRoomFor() throws IOException {
        try (TestClient greedy = TestClient.connect(broker);
                TestClient other = TestClient.connect(broker)) {
            // when
            ControlFrame.Refused refused = fill(greedy, 1, "p");

            // then
            assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED.number());
            assertThat(refused.message())
                    .contains("this connection: expected at most 131072 bytes")
                    .contains("(session.metadata.connection)")
                    .containsPattern("found 1[0-9]{5} in use");
            other.subscribe(1, "t", "p = '1'", "");

            // and there is room again for as much as was there before
            greedy.unsubscribe(1);
            greedy.expect(ControlFrame.Accepted.class);
            awaitRoom(greedy);
        }
        BrokerPages.awaitMetric(broker, USED, FREE);
    }

    /// What is unsubscribed is given back by the topic's owner, perhaps a moment after the answer.
    private static void awaitRoom(TestClient client) throws IOException {
        long deadline = System.nanoTime() + 10_000_000_000L;
        ControlFrame answer;
        do {
            client.requestSubscription(1, "t", "p = '1'", "", 0);
            answer = client.expect(ControlFrame.class);
        } while (answer instanceof ControlFrame.Refused && System.nanoTime() < deadline);
        assertThat(answer).isInstanceOf(ControlFrame.Accepted.class);
    }

    @Test
    void shouldRefuseWhatAnAddressHasNoRoomFor() throws IOException {
        try (TestClient a = TestClient.connect(broker);
                TestClient b = TestClient.connect(broker);
                TestClient c = TestClient.connect(broker)) {
            // when
            fill(a, 1, "p");
            fill(b, 1, "q");
            ControlFrame.Refused refused = fill(c, 1, "r");

            // then
            assertThat(refused.message())
                    .contains("this user or address: expected at most 196608 bytes")
                    .contains("(session.metadata.user)");
            assertThat(BrokerPages.metric(broker, USED).orElseThrow())
                    .isBetween(150_000.0, 196_608.0);
            assertThat(BrokerPages.metric(broker, "winnow_metadata_limit_bytes")).hasValue(262_144);
        }
        BrokerPages.awaitMetric(broker, USED, FREE);
    }

    @Test
    void shouldChargeASelectorByWhatItsParsedFormTakes() throws IOException {
        // given text of 5 KB whose names take far more than 128 KiB
        String selector =
                IntStream.range(0, 500)
                        .mapToObj(i -> "a" + i + " > 1")
                        .collect(Collectors.joining(" OR "));
        try (TestClient client = TestClient.connect(broker)) {
            // when
            client.requestSubscription(1, "t", selector, "", 0);

            // then
            assertThat(client.expect(ControlFrame.Refused.class).message())
                    .contains("session.metadata.connection");
            BrokerPages.awaitMetric(broker, USED, FREE);
            client.subscribe(1, "t", "a0 > 1", "");
        }
        BrokerPages.awaitMetric(broker, USED, FREE);
        BrokerPages.awaitMetric(broker, "winnow_subscriptions", 0);
    }

    @Test
    void shouldChargeHandlesTopicsAndClientIdentifiers() throws IOException {
        try (TestClient client = new TestClient(broker.address())) {
            // given
            String id = "x".repeat(4_000);
            client.hello(new ControlFrame.Hello(0, id, "ANONYMOUS", "", 0, "test"));
            client.expect(ControlFrame.Welcome.class);
            double used = BrokerPages.metric(broker, USED).orElseThrow();
            assertThat(used).isGreaterThan(8_000);

            // when
            String name = "t".repeat(1_000);
            client.open(1, name);
            double afterOne = BrokerPages.metric(broker, USED).orElseThrow();
            client.open(2, name);
            double afterTwo = BrokerPages.metric(broker, USED).orElseThrow();

            // then a topic is charged once, each handle for itself
            assertThat(afterOne - used).isGreaterThan(6_000);
            assertThat(afterTwo - afterOne).isBetween(100.0, 1_000.0);

            // when
            client.send(new ControlFrame.Release(1));
            client.send(new ControlFrame.Release(2));
            BrokerPages.awaitMetric(broker, USED, used);
            int handle = 1;
            ControlFrame answer;
            do {
                client.send(
                        new ControlFrame.Open(handle, handle, DestinationKind.TOPIC, "u" + handle));
                answer = client.expect(ControlFrame.class);
                handle++;
            } while (answer instanceof ControlFrame.Accepted && handle < 1_000);

            // then
            assertThat(answer).isInstanceOf(ControlFrame.Refused.class);
            assertThat(((ControlFrame.Refused) answer).message())
                    .contains("session.metadata.connection");
        }
        BrokerPages.awaitMetric(broker, USED, FREE);
        BrokerPages.awaitMetric(broker, "winnow_topics", 0);
    }
}
