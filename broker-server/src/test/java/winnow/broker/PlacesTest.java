package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

/// Connections to a real broker that has no place for all of them.
class PlacesTest {
    private static Broker start(Map<String, String> settings) throws IOException {
        return new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    @Test
    void shouldLetClientsInWhileSilentOnesFillThePort() throws IOException {
        // given, with time-outs that play no part
        Map<String, String> settings =
                Map.of(
                        "transport.max-connections", "10",
                        "transport.first-byte-timeout", "60m",
                        "transport.handshake-timeout", "60m");
        List<TestClient> silent = new ArrayList<>();
        try (Broker broker = start(settings);
                TestClient first = TestClient.connect(broker)) {
            for (int i = 0; i < 40; i++) {
                silent.add(new TestClient(broker.address()));
            }

            // when
            try (TestClient second = TestClient.connect(broker)) {
                // then
                first.open(1, "t");
                second.open(1, "t");
                ControlFrame.Goodbye goodbye = silent.getFirst().await(ControlFrame.Goodbye.class);
                assertThat(goodbye.message()).contains("had not logged in");
            }
        } finally {
            for (TestClient one : silent) {
                one.disconnect();
            }
        }
    }

    @Test
    void shouldKeepPlacesForOtherAddresses() throws IOException {
        try (Broker broker = start(Map.of("transport.max-connections-per-address", "1"));
                TestClient first = TestClient.connect(broker)) {
            // when
            TestClient second = new TestClient(broker.address());

            // then
            assertThat(second.expect(ControlFrame.Goodbye.class).message())
                    .isEqualTo(
                            "transport.max-connections-per-address is 1, all are in use by"
                                    + " 127.0.0.1");
            first.open(1, "t");
            second.disconnect();
        }
    }

    @Test
    void shouldCloseAConnectionThatSendsNothing() throws IOException {
        try (Broker broker = start(Map.of("transport.first-byte-timeout", "1ms"))) {
            TestClient silent = new TestClient(broker.address());

            assertThat(silent.expect(ControlFrame.Goodbye.class).message())
                    .contains("transport.first-byte-timeout");
            silent.disconnect();
        }
    }

    /// What it has sent is no frame.
    @Test
    void shouldSayWhyToAClientWithHalfAPreamble() throws IOException {
        try (Broker broker = start(Map.of("transport.handshake-timeout", "100ms"))) {
            TestClient slow = new TestClient(broker.address());

            // when
            slow.raw((byte) 'W', (byte) 'N', (byte) 'O', (byte) 'W', (byte) 1);

            // then
            assertThat(slow.expect(ControlFrame.Goodbye.class).code())
                    .isEqualTo(ErrorCode.HANDSHAKE_TIMEOUT.number());
            slow.disconnect();
        }
    }

    @Test
    void shouldSayGoodbyeToSilentClientsWhenItStops() throws IOException {
        // given one that has said nothing, and one with half a preamble
        Broker broker = start(Map.of("transport.first-byte-timeout", "60m"));
        try (TestClient connected = TestClient.connect(broker)) {
            connected.open(1, "t");
        }
        TestClient silent = new TestClient(broker.address());
        TestClient half = new TestClient(broker.address());
        half.raw((byte) 'W', (byte) 'N');
        BrokerPages.awaitMetric(broker, "winnow_connections_open", 2);

        // when
        broker.close();

        // then
        for (TestClient one : List.of(silent, half)) {
            assertThat(one.expect(ControlFrame.Goodbye.class).code())
                    .isEqualTo(ErrorCode.SHUTTING_DOWN.number());
            one.disconnect();
        }
    }
}
