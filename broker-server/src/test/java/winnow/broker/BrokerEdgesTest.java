package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import winnow.broker.TestClient.Delivered;
import winnow.broker.security.UserFile;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

/// Peers that break the protocol, credentials, stopping, pages.
class BrokerEdgesTest {
    private static final byte[] PREAMBLE = {'W', 'N', 'O', 'W', 1, 0};

    static Stream<Arguments> brokenPeers() {
        return Stream.of(
                Arguments.of(
                        "another protocol",
                        "EHLO example.org\r\n".getBytes(StandardCharsets.US_ASCII),
                        ErrorCode.MALFORMED_FRAME,
                        "preamble WNOW, found other bytes"),
                Arguments.of(
                        "HTTP",
                        "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                        ErrorCode.MALFORMED_FRAME,
                        "found an HTTP request: HTTP has a port of its own (--http-port, 8161 by"
                                + " default)"),
                Arguments.of(
                        "another version",
                        new byte[] {'W', 'N', 'O', 'W', 2, 0},
                        ErrorCode.UNSUPPORTED_VERSION,
                        "expected version 1, found 2"),
                Arguments.of(
                        "a frame too large for a handshake",
                        with(PREAMBLE, 0, 1, 0, 0),
                        ErrorCode.FRAME_TOO_LARGE,
                        "found 65536"),
                Arguments.of(
                        "a length of zero",
                        with(PREAMBLE, 0, 0, 0, 0),
                        ErrorCode.MALFORMED_FRAME,
                        "at least 1"),
                Arguments.of(
                        "an unknown frame",
                        with(PREAMBLE, 0, 0, 0, 1, 0x3F),
                        ErrorCode.MALFORMED_FRAME,
                        "0x3f"),
                Arguments.of(
                        "a publish before Hello",
                        with(PREAMBLE, 0, 0, 0, 5, 0x05, 1, 0, 0, 0),
                        ErrorCode.UNEXPECTED_FRAME,
                        "0x5"),
                Arguments.of(
                        "a Heartbeat before Hello",
                        with(PREAMBLE, 0, 0, 0, 1, 0x70),
                        ErrorCode.UNEXPECTED_FRAME,
                        "expected Hello, found Heartbeat"),
                Arguments.of(
                        "a truncated Hello",
                        with(PREAMBLE, 0, 0, 0, 3, 0x01, 0, 9),
                        ErrorCode.MALFORMED_FRAME,
                        "expected 9 more bytes"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenPeers")
    void shouldTellABrokenPeerWhyAndDisturbNobodyElse(
            String name, byte[] bytes, ErrorCode code, String text) throws IOException {
        try (Broker broker = start(Map.of());
                TestClient bystander = TestClient.connect(broker);
                TestClient broken = new TestClient(broker.address())) {
            // given
            bystander.subscribe(1, "t");
            bystander.open(1, "t");

            // when
            broken.raw(bytes);
            ControlFrame.Goodbye goodbye = broken.expect(ControlFrame.Goodbye.class);

            // then
            assertThat(goodbye.code()).as(name).isEqualTo(code.number());
            assertThat(goodbye.message()).contains(text);
            assertThat(broken.closedByBroker()).isTrue();
            bystander.publish(1, "", Map.of(), "still here");
            assertThat(bystander.expect(Delivered.class).body()).isEqualTo("still here");
        }
    }

    @Test
    void shouldRefuseMalformedMessagesOfAConnectedClient() throws IOException {
        try (Broker broker = start(Map.of());
                TestClient client = TestClient.connect(broker)) {
            // given
            client.open(1, "t");

            // when a property uses a number that no name has
            client.publish(1, "", Map.of("#9", 1), "m");

            // then
            ControlFrame.Goodbye goodbye = client.expect(ControlFrame.Goodbye.class);
            assertThat(goodbye.message()).contains("name numbers up to 0, found 9");
        }
    }

    @Test
    void shouldCloseASlowHandshake() throws IOException {
        try (Broker broker = start(Map.of("transport.handshake-timeout", "50ms"));
                TestClient slow = new TestClient(broker.address())) {
            assertThat(slow.expect(ControlFrame.Goodbye.class))
                    .isEqualTo(
                            new ControlFrame.Goodbye(
                                    ErrorCode.HANDSHAKE_TIMEOUT.number(),
                                    "expected Hello in time, found none"));
        }
    }

    @Test
    void shouldSendHeartbeatsAndMissThem() throws IOException {
        try (Broker broker = start(Map.of());
                TestClient client = new TestClient(broker.address())) {
            // given a client that wishes for a heartbeat each second and then says nothing
            client.hello(new ControlFrame.Hello(0, "", "ANONYMOUS", "", 1000, "test"));
            assertThat(client.expect(ControlFrame.Welcome.class).heartbeatMillis()).isEqualTo(1000);

            // then
            client.expect(ControlFrame.Heartbeat.class);
            assertThat(client.await(ControlFrame.Goodbye.class).code())
                    .isEqualTo(ErrorCode.HEARTBEAT_TIMEOUT.number());
        }
    }

    @Test
    void shouldRefuseAClientIdentifierThatIsInUse() throws IOException {
        ControlFrame.Hello hello = new ControlFrame.Hello(0, "me", "ANONYMOUS", "", 0, "test");
        try (Broker broker = start(Map.of());
                TestClient second = new TestClient(broker.address())) {
            try (TestClient first = new TestClient(broker.address())) {
                first.hello(hello);
                first.expect(ControlFrame.Welcome.class);
                second.hello(hello);
                assertThat(second.expect(ControlFrame.Goodbye.class).code())
                        .isEqualTo(ErrorCode.CLIENT_ID_IN_USE.number());
            }
            BrokerPages.awaitMetric(broker, "winnow_connections_open", 0);
            try (TestClient third = new TestClient(broker.address())) {
                third.hello(hello);
                third.expect(ControlFrame.Welcome.class);
            }
        }
    }

    @Test
    void shouldDemandCredentialsIfThereIsAUserFile(@TempDir Path dir) throws IOException {
        // given
        Path users = TestUsers.write(dir, UserFile.line("ada", "secret"));
        try (Broker broker = start(Map.of("security.users", users.toString()))) {
            // when, then
            assertThat(answer(broker, "PLAIN", "\0ada\0secret"))
                    .isInstanceOf(ControlFrame.Welcome.class);
            assertThat(answer(broker, "PLAIN", "\0ada\0wrong"))
                    .isEqualTo(denied("user or password is wrong"));
            assertThat(answer(broker, "PLAIN", "\0eve\0secret"))
                    .isEqualTo(denied("user or password is wrong"));
            assertThat(answer(broker, "PLAIN", "ada"))
                    .isEqualTo(
                            denied(
                                    "PLAIN: expected authorisation id, user and password separated"
                                            + " by NUL"));
            assertThat(answer(broker, "PLAIN", "ada\0ada\0secret"))
                    .isInstanceOf(ControlFrame.Welcome.class);
            assertThat(answer(broker, "PLAIN", "eve\0ada\0secret"))
                    .isEqualTo(
                            denied(
                                    "PLAIN: expected no authorisation id or the user's own, found"
                                            + " 'eve'"));
            assertThat(answer(broker, "ANONYMOUS", ""))
                    .isEqualTo(denied("this broker demands a user and a password"));
        }
    }

    @Test
    void shouldNotCheckPasswordsOfThoseWhoHaveGone(@TempDir Path dir) throws IOException {
        // given somebody whose password takes a while to check: 100 ms on a quiet machine
        String key = Base64.getEncoder().encodeToString(new byte[32]);
        Path users =
                TestUsers.write(
                        dir,
                        UserFile.line("ada", "secret"),
                        "slow:SCRAM-SHA-256$120000:AAAA$" + key + ":" + key);
        Map<String, String> settings =
                Map.of("security.users", users.toString(), "transport.handshake-timeout", "1m");
        try (Broker broker = start(settings)) {
            // when as many have gone as may wait
            for (int i = 0; i < 128; i++) {
                try (TestClient client = new TestClient(broker.address());
                        Socket http = new Socket()) {
                    String wrong = "slow:http" + i;
                    // Closing means nobody reads an answer, other than shutting output down.
                    http.setSoLinger(true, 0);
                    client.hello(new ControlFrame.Hello(0, "", "PLAIN", "\0slow\0" + i, 0, "test"));
                    http.connect(broker.httpAddress());
                    http.getOutputStream()
                            .write(
                                    ("GET /api/v1/topics HTTP/1.1\r\nAuthorization: Basic "
                                                    + Base64.getEncoder()
                                                            .encodeToString(
                                                                    wrong.getBytes(
                                                                            StandardCharsets.UTF_8))
                                                    + "\r\n\r\n")
                                            .getBytes(StandardCharsets.US_ASCII));
                }
            }

            // then the same user's next check, which comes behind all of theirs, comes soon
            assertThat(answer(broker, "PLAIN", "\0slow\0wrong"))
                    .isEqualTo(denied("user or password is wrong"));
            assertThat(
                            BrokerPages.metric(broker, "winnow_authentication_failures_total")
                                    .orElseThrow())
                    .isBetween(1.0, 64.0);
        }
    }

    @Test
    void shouldNotListenBeyondLoopbackWithoutCredentials() {
        assertThatThrownBy(() ->
                        new Broker(BrokerConfig.DEFAULTS, InetAddress.getByName("0.0.0.0"), 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("security.users");
    }

    @Test
    void shouldListenBeyondLoopbackWithCredentials(@TempDir Path dir) throws IOException {
        // given
        InetAddress anywhere = InetAddress.getByName("0.0.0.0");
        Path users = TestUsers.write(dir, UserFile.line("ada", "secret"));
        BrokerConfig config = BrokerConfig.of(Map.of("security.users", users.toString()));

        // when
        try (Broker broker = new Broker(config, anywhere, 0, 0)) {
            // then
            assertThat(broker.address().getPort()).isPositive();
        }
    }

    @Test
    void shouldConfirmWhatIsPublishedTogetherWithGoodbye() throws IOException {
        try (Broker broker = start(Map.of());
                TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given
            consumer.subscribe(1, "t");
            producer.open(1, "t");

            // when
            producer.hold();
            producer.publishConfirmed(1, "a");
            producer.publishConfirmed(1, "b");
            producer.send(new ControlFrame.Goodbye(0, ""));
            producer.sendHeld();

            // then
            assertThat(producer.expect(ControlFrame.Published.class).count()).isEqualTo(2);
            assertThat(producer.closedByBroker()).isTrue();
            assertThat(consumer.expect(Delivered.class).body()).isEqualTo("a");
            assertThat(consumer.expect(Delivered.class).body()).isEqualTo("b");
        }
    }

    @Test
    void shouldLimitTheSelectorsOfAConnection() throws IOException {
        try (Broker broker = start(Map.of("session.max-selector-characters", "25"));
                TestClient client = TestClient.connect(broker)) {
            // given
            client.subscribe(1, "t", "n = 1     ", "");
            client.subscribe(2, "t", "n = 2", "[#7;#13]");

            // when one more would be too much
            client.requestSubscription(3, "t", "n = 1", "", 0);

            // then
            ControlFrame.Refused refused = client.expect(ControlFrame.Refused.class);
            assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED.number());
            assertThat(refused.message())
                    .contains(
                            "at most 25 characters of selectors and filters on one connection"
                                    + " (session.max-selector-characters), found 28");

            // and it is not when another has gone
            client.unsubscribe(1);
            client.expect(ControlFrame.Accepted.class);
            client.requestSubscription(1, "t", "n is", "", 0);
            client.expect(ControlFrame.Refused.class);
            client.subscribe(1, "t", "n = 3     ", "");
        }
    }

    @Test
    void shouldRefuseASelectorThatIsTooLong() throws IOException {
        try (Broker broker = start(Map.of());
                TestClient client = TestClient.connect(broker)) {
            client.requestSubscription(1, "t", "n = 1" + " ".repeat(65_536), "", 0);

            ControlFrame.Refused refused = client.expect(ControlFrame.Refused.class);
            assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_SELECTOR.number());
            assertThat(refused.message()).contains("at most 65536 characters, found 65541");
        }
    }

    @Test
    void shouldLimitTheMemoryOfFramesThatHaveNotArrivedWhole() throws IOException {
        Map<String, String> settings =
                Map.of("transport.max-frame", "100KiB", "transport.frame-buffer", "200KiB");
        byte[] begin = with(new byte[] {0, 1, (byte) 0x80, 0, 0x0A}, new int[90_000]);
        try (Broker broker = start(settings);
                TestClient first = TestClient.connect(broker);
                TestClient second = TestClient.connect(broker);
                TestClient bystander = TestClient.connect(broker)) {
            // given
            first.raw(begin);
            BrokerPages.awaitMetric(broker, "winnow_frames_partial_bytes", 98_308);

            // when
            second.raw(begin);

            // then it waits, and others do not
            bystander.open(1, "t");
            first.disconnect();
            BrokerPages.awaitMetric(broker, "winnow_frames_partial_bytes", 98_308);

            // and is read to its end, which says nothing sensible, when there is room
            second.raw(new byte[98_308 - begin.length]);
            ControlFrame.Goodbye goodbye = second.expect(ControlFrame.Goodbye.class);
            assertThat(goodbye.code()).isEqualTo(ErrorCode.MALFORMED_FRAME.number());
            BrokerPages.awaitMetric(broker, "winnow_frames_partial_bytes", 0);
        }
    }

    @Test
    void shouldLimitConnections() throws IOException {
        try (Broker broker = start(Map.of("transport.max-connections", "1"));
                TestClient first = TestClient.connect(broker)) {
            BrokerPages.awaitMetric(broker, "winnow_connections_open", 1);
            TestClient second = new TestClient(broker.address());
            ControlFrame.Goodbye goodbye = second.expect(ControlFrame.Goodbye.class);
            assertThat(goodbye.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED.number());
            first.open(1, "t");

            // and the one that is refused takes no place until it has gone
            assertThat(BrokerPages.metric(broker, "winnow_connections_open")).hasValue(1);
            second.disconnect();
        }
    }

    @Test
    void shouldLetConsumersTakeWhatWaitsBeforeItStops() throws IOException {
        Broker broker = start(Map.of());
        try (TestClient consumer = TestClient.connect(broker);
                TestClient producer = TestClient.connect(broker)) {
            // given ten messages that wait for credit
            consumer.requestSubscription(1, "t", "", "", 0);
            consumer.expect(ControlFrame.Accepted.class);
            producer.open(1, "t");
            for (int i = 0; i < 10; i++) {
                producer.publishConfirmed(1, "m" + i);
            }
            while (producer.expect(ControlFrame.Published.class).count() < 10) {}

            // when
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(broker::close);
            consumer.credit(1, 100, 100_000);

            // then
            List<String> bodies = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                bodies.add(consumer.expect(Delivered.class).body());
            }
            assertThat(bodies).hasSize(10).startsWith("m0").endsWith("m9");
            assertThat(consumer.expect(ControlFrame.Goodbye.class).code())
                    .isEqualTo(ErrorCode.SHUTTING_DOWN.number());
            consumer.disconnect();
            producer.disconnect();
            stopping.join();
        }
    }

    @Test
    void shouldSendHeartbeatsWhileConsumersTakeWhatWaits() throws IOException {
        Broker broker = start(Map.of());
        try (TestClient consumer = new TestClient(broker.address());
                TestClient producer = TestClient.connect(broker)) {
            // given a message that waits for credit
            consumer.hello(new ControlFrame.Hello(0, "", "ANONYMOUS", "", 1000, "test"));
            consumer.expect(ControlFrame.Welcome.class);
            consumer.requestSubscription(1, "t", "", "", 0);
            consumer.expect(ControlFrame.Accepted.class);
            producer.open(1, "t");
            producer.publishConfirmed(1, "m");
            producer.expect(ControlFrame.Published.class);

            // when
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(broker::close);

            // then
            for (int i = 0; i < 2; i++) {
                consumer.expect(ControlFrame.Heartbeat.class);
                consumer.send(new ControlFrame.Heartbeat());
            }
            consumer.credit(1, 1, 1000);
            assertThat(consumer.await(Delivered.class).body()).isEqualTo("m");
            consumer.disconnect();
            producer.disconnect();
            stopping.join();
        }
    }

    @Test
    void shouldShowMetricsAndHealth() throws IOException {
        try (Broker broker = start(Map.of());
                TestClient client = TestClient.connect(broker)) {
            // given
            client.subscribe(1, "t", "p = 1", "");
            client.subscribe(2, "t");
            client.open(1, "t");
            client.publishConfirmed(1, "m");
            client.await(ControlFrame.Published.class);

            // then
            assertThat(BrokerPages.metric(broker, "winnow_messages_received_total")).hasValue(1);
            assertThat(BrokerPages.metric(broker, "winnow_messages_dispatched_total")).hasValue(1);
            assertThat(BrokerPages.metric(broker, "process_cpu_seconds_total").orElseThrow())
                    .isPositive();
            assertThat(BrokerPages.get(broker, "/health/live").statusCode()).isEqualTo(200);
            assertThat(BrokerPages.get(broker, "/health/ready").body()).isEqualTo("ready\n");
            assertThat(BrokerPages.get(broker, "/nope").statusCode()).isEqualTo(404);
            assertThat(BrokerPages.post(broker, "/metrics").statusCode()).isEqualTo(405);
        }
    }

    private static ControlFrame answer(Broker broker, String mechanism, String response)
            throws IOException {
        try (TestClient client = new TestClient(broker.address())) {
            client.hello(new ControlFrame.Hello(0, "", mechanism, response, 0, "test"));
            return client.expect(ControlFrame.class);
        }
    }

    private static ControlFrame denied(String message) {
        return new ControlFrame.Goodbye(ErrorCode.AUTHENTICATION_FAILED.number(), message);
    }

    private static Broker start(Map<String, String> settings) throws IOException {
        return new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    private static byte[] with(byte[] head, int... tail) {
        byte[] all = java.util.Arrays.copyOf(head, head.length + tail.length);
        for (int i = 0; i < tail.length; i++) {
            all[head.length + i] = (byte) tail[i];
        }
        return all;
    }
}
