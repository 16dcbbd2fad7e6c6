package winnow.client.transport.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import winnow.client.transport.ConnectionEvents;
import winnow.client.transport.DirectSocket;
import winnow.client.transport.UnansweredPublish;
import winnow.client.transport.WireConnection;
import winnow.client.transport.endpoint.BrokerHost;
import winnow.client.transport.endpoint.ConnectionLimits;
import winnow.client.transport.endpoint.ConnectionTarget;
import winnow.client.transport.endpoint.LocalFailure;
import winnow.client.transport.endpoint.Login;
import winnow.client.transport.endpoint.RetryTerms;
import winnow.client.transport.endpoint.RoundLimit;
import winnow.client.transport.endpoint.SocketTerms;
import winnow.client.transport.endpoint.TransportException;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.WireWriter;
import winnow.wire.frame.ControlFrame;

/// No time passes between the rounds but that of the clock of the test.
class ConnectRoundsTest {
    private static final ControlFrame.Welcome WELCOME =
            new ControlFrame.Welcome(
                    Protocol.MAJOR_VERSION, 0, 0, 1, 0, 1024, 1024, "scripted", null);

    private static final RetryTerms NO_LIMIT = terms(-1, 0);

    private final Clock clock = new Clock();
    private final List<String> lookedUp = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger accepted = new AtomicInteger();
    private final List<ServerSocket> servers = new ArrayList<>();

    /// Half of the longest pause is always what chance says.
    private static final class Halves extends Random {
        private static final long serialVersionUID = 1L;

        @Override
        public double nextDouble() {
            return 0.5;
        }
    }

    private static final class Clock implements RoundClock {
        private final List<Long> pausesMillis = new ArrayList<>();
        private @Nullable Runnable onPause;
        private int interruptedAt = Integer.MAX_VALUE;
        private long now;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void pause(long nanos) throws InterruptedException {
            now += nanos;
            pausesMillis.add(TimeUnit.NANOSECONDS.toMillis(nanos));
            if (pausesMillis.size() == interruptedAt) {
                throw new InterruptedException();
            }
            if (onPause != null) {
                onPause.run();
            }
        }
    }

    @AfterEach
    void stopServers() throws IOException {
        for (ServerSocket server : servers) {
            server.close();
        }
    }

    private static RetryTerms terms(int maxRepeats, int warnAfter) {
        return new RetryTerms(RoundLimit.of(maxRepeats), 10, 2, 30_000, warnAfter, false);
    }

    private static ConnectionTarget target(RetryTerms terms, BrokerHost... hosts) {
        return new ConnectionTarget(
                List.of(hosts),
                terms,
                new Login("", Login.SCRAM, "", "", 0, "test"),
                new ConnectionLimits(10_000, 10_000, 1 << 20),
                1,
                SocketTerms.USUAL,
                null);
    }

    private ConnectRounds rounds(RetryTerms terms, BrokerHost... hosts) {
        ConnectionTarget target = target(terms, hosts);
        ConnectionEvents none =
                new ConnectionEvents() {
                    @Override
                    public void onLost(
                            WireConnection lostOne,
                            TransportException cause,
                            List<UnansweredPublish> unanswered) {}

                    @Override
                    public void onRefused(String destination, TransportException reason) {}
                };
        HostAddresses nobody =
                new HostAddresses(host -> {
                    lookedUp.add(host);
                    throw new UnknownHostException(host);
                });
        Connector round = new Connector(target, none, nobody, DirectSocket::new);
        return new ConnectRounds(target, round, clock, new Halves());
    }

    private static TransportException failureOf(ConnectRounds rounds) {
        TransportException failure =
                catchThrowableOfType(TransportException.class, rounds::connect);
        assertThat(failure).isNotNull();
        return failure;
    }

    /// Nobody listens there.
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private BrokerHost broker(int port, ControlFrame answer) {
        try {
            ServerSocket server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
            servers.add(server);
            Thread acceptor = new Thread(() -> accept(server, answer), "scripted");
            acceptor.setDaemon(true);
            acceptor.start();
            return new BrokerHost("127.0.0.1", server.getLocalPort());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void accept(ServerSocket server, ControlFrame answer) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                in.readFully(new byte[Protocol.PREAMBLE_BYTES]);
                in.readFully(new byte[in.readInt()]);
                accepted.incrementAndGet();
                WireWriter out = new WireWriter(64);
                answer.write(out);
                socket.getOutputStream().write(out.toByteArray());
                in.readFully(new byte[in.readInt()]);
            } catch (IOException broken) {
                // By the client.
            }
        }
    }

    private static ControlFrame refusal(ErrorCode code) {
        return new ControlFrame.Goodbye(code.number(), "not now");
    }

    @Test
    void shouldPauseLongerFromRoundToRoundUpToALimit() {
        // when
        failureOf(rounds(terms(12, 0), new BrokerHost("nobody", 1)));

        // then
        assertThat(clock.pausesMillis)
                .containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 320L, 500L, 500L, 500L, 500L, 500L);
        assertThat(lookedUp).hasSize(13);
    }

    @Test
    void shouldPauseShortlyForHalfAMinute() {
        // given
        RetryTerms terms = terms(-1, 0);

        // when, then
        assertThat(terms.longestPauseNanos(1)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(10));
        assertThat(terms.longestPauseNanos(60)).isEqualTo(TimeUnit.SECONDS.toNanos(1));
        assertThat(terms.longestPauseNanos(61)).isEqualTo(TimeUnit.SECONDS.toNanos(30));
        assertThat(new RetryTerms(RoundLimit.of(-1), 10, 2, 500, 10, false).longestPauseNanos(60))
                .isEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
    }

    @Test
    void shouldBeginNoRoundAfterTheTimeOfALimit() {
        // given
        RoundLimit halfAMinute = new RoundLimit(-1, TimeUnit.SECONDS.toNanos(30));
        RetryTerms terms = new RetryTerms(halfAMinute, 10, 2, 30_000, 0, false);

        // when
        TransportException failure = failureOf(rounds(terms, new BrokerHost("nobody", 61616)));

        // then
        long pauses = clock.pausesMillis.stream().mapToLong(Long::longValue).sum();
        assertThat(pauses).isBetween(29_900L, 30_000L);
        assertThat(failure)
                .hasMessageContaining("rounds of attempts in 30.")
                .hasMessageEndingWith(
                        "start a broker there, correct the URL, or set startupTimeout to try it"
                                + " longer");
    }

    @Test
    void shouldHaveNoTimeLimitAfterALoss() {
        // given
        RoundLimit oneNanosecond = new RoundLimit(0, 1);
        RetryTerms terms = new RetryTerms(oneNanosecond, 10, 2, 30_000, 0, false).returning(100);

        // when
        failureOf(rounds(terms, new BrokerHost("nobody", 1)));

        // then
        assertThat(clock.pausesMillis).hasSize(99);
    }

    @Test
    void shouldHaveNoPauseBeyondTheLimitHoweverManyRoundsThereWere() {
        RetryTerms terms = new RetryTerms(RoundLimit.of(-1), 1000, 999, 30_000, 0, false);

        assertThat(terms.longestPauseNanos(1)).isEqualTo(TimeUnit.SECONDS.toNanos(1));
        assertThat(terms.longestPauseNanos(Integer.MAX_VALUE))
                .isEqualTo(TimeUnit.SECONDS.toNanos(30));
        assertThat(new RetryTerms(RoundLimit.of(0), 5000, 1, 100, 0, false).longestPauseNanos(1))
                .isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
    }

    @Test
    void shouldSayWhatWasTriedHowOftenAndForHowLong() throws Exception {
        // given
        int port = freePort();

        // when
        TransportException failure =
                failureOf(
                        rounds(
                                terms(9, 0),
                                new BrokerHost("nobody", 7000),
                                new BrokerHost("127.0.0.1", port)));

        // then
        assertThat(failure)
                .hasMessage(
                        "cannot connect to nobody:7000, 127.0.0.1:%d (10 rounds of attempts in 1.6"
                                + " s): nobody:7000: unknown host name; 127.0.0.1:%d: Connection"
                                + " refused; the messaging port is 61616 by default; start a broker"
                                + " there, correct the URL, or set startupMaxReconnectAttempts to"
                                + " try it longer",
                        port, port);
        assertThat(failure.local()).isEqualTo(LocalFailure.CONNECT_FAILED);
    }

    @Test
    void shouldLimitWhatItSays() {
        // given
        BrokerHost[] hosts =
                IntStream.range(0, 64)
                        .mapToObj(i -> new BrokerHost("h" + i, 61616))
                        .toArray(BrokerHost[]::new);

        // when
        TransportException failure = failureOf(rounds(terms(0, 0), hosts));

        // then
        assertThat(failure)
                .hasMessageContaining(", h9:61616 and 54 more: h0:61616: unknown host name; ")
                .hasMessageContaining("; h9:61616: unknown host name; 54 more addresses failed;")
                .hasMessageContaining("set startupMaxReconnectAttempts to try it again")
                .hasMessageNotContaining("h10:");
        assertThat(lookedUp).hasSize(64);
    }

    @Test
    void shouldGoOnUntilABrokerAppears() throws Exception {
        // given
        int port = freePort();
        clock.onPause =
                () -> {
                    if (clock.pausesMillis.size() == 20) {
                        broker(port, WELCOME);
                    }
                };

        // when
        WireConnection connection =
                rounds(NO_LIMIT, new BrokerHost("nobody", 1), new BrokerHost("127.0.0.1", port))
                        .connect();

        // then
        assertThat(connection.peer()).isEqualTo("127.0.0.1:" + port);
        assertThat(clock.pausesMillis).hasSize(20);
        connection.close(10_000);
    }

    @ParameterizedTest
    @EnumSource(names = {"LIMIT_EXCEEDED", "SHUTTING_DOWN", "STORE_UNAVAILABLE"})
    void shouldTryTheNextHostWhereABrokerIsFull(ErrorCode code) throws Exception {
        // given
        BrokerHost full = broker(0, refusal(code));

        // when
        WireConnection connection = rounds(terms(0, 0), full, broker(0, WELCOME)).connect();

        // then
        assertThat(connection.product()).isEqualTo("scripted");
        connection.close(10_000);
    }

    @Test
    void shouldTryAgainWhereABrokerIsFull() {
        // given
        BrokerHost full = broker(0, refusal(ErrorCode.LIMIT_EXCEEDED));

        // when
        TransportException failure = failureOf(rounds(terms(2, 0), full));

        // then
        assertThat(failure)
                .hasMessage(
                        "cannot connect to %s (3 rounds of attempts in 15 ms): %s refused the"
                                + " connection: not now; set startupMaxReconnectAttempts to try it"
                                + " longer",
                        full, full);
        assertThat(failure.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        assertThat(accepted).hasValue(3);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "AUTHENTICATION_FAILED",
                "NOT_AUTHORIZED",
                "CLIENT_ID_IN_USE",
                "UNSUPPORTED_VERSION",
                "FRAME_TOO_LARGE",
                "INTERNAL_ERROR"
            })
    void shouldNotRepeatWhatStaysRefused(ErrorCode code) {
        // given
        BrokerHost refusing = broker(0, refusal(code));

        // when
        TransportException failure =
                failureOf(
                        rounds(
                                NO_LIMIT,
                                new BrokerHost("nobody", 1),
                                refusing,
                                broker(0, WELCOME)));

        // then
        assertThat(failure).hasMessage("%s refused the connection: not now", refusing);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(accepted).hasValue(1);
        assertThat(clock.pausesMillis).isEmpty();
    }

    @Test
    void shouldComeBackThoughABrokerHasHadAFault() throws Exception {
        // given
        BrokerHost faulty = broker(0, refusal(ErrorCode.INTERNAL_ERROR));
        int port = freePort();
        clock.onPause =
                () -> {
                    if (clock.pausesMillis.size() == 3) {
                        broker(port, WELCOME);
                    }
                };

        // when
        WireConnection connection =
                rounds(NO_LIMIT.returning(-1), faulty, new BrokerHost("127.0.0.1", port)).connect();

        // then
        assertThat(connection.peer()).isEqualTo("127.0.0.1:" + port);
        assertThat(accepted).hasValue(5);
        connection.close(10_000);
    }

    @Test
    void shouldNotRepeatWhereAnotherServerAnswers() throws Exception {
        // given
        try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread greeter =
                    new Thread(() -> {
                        try (Socket socket = other.accept()) {
                            socket.getOutputStream()
                                    .write("SSH-2.0-x\r\n".getBytes(StandardCharsets.US_ASCII));
                            socket.getInputStream().readNBytes(1000);
                        } catch (IOException broken) {
                            // By the client.
                        }
                    });
            greeter.start();
            BrokerHost ssh = new BrokerHost("127.0.0.1", other.getLocalPort());

            // when
            TransportException failure =
                    failureOf(rounds(NO_LIMIT, ssh, new BrokerHost("nobody", 1)));

            // then
            assertThat(failure)
                    .hasMessage(
                            "cannot connect to %s, nobody:1: %s: it answers as an SSH server, not"
                                    + " as a Winnow broker; nobody:1: unknown host name; the"
                                    + " messaging port is 61616 by default",
                            ssh, ssh);
            assertThat(clock.pausesMillis).isEmpty();
            greeter.join();
        }
    }

    @Test
    void shouldEndWhenInterruptedInAPause() {
        // given
        clock.interruptedAt = 3;

        // when
        TransportException failure = failureOf(rounds(NO_LIMIT, new BrokerHost("nobody", 1)));

        // then
        assertThat(Thread.interrupted()).as("interrupt is kept").isTrue();
        assertThat(failure.local()).isEqualTo(LocalFailure.INTERRUPTED);
        assertThat(failure)
                .hasMessage(
                        "cannot connect to nobody:1 (3 rounds of attempts in 15 ms): interrupted"
                                + " while waiting to try again");
    }

    @Test
    void shouldWarnOnce() {
        // given
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        PrintStream usual = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            // when
            failureOf(rounds(terms(8, 3), new BrokerHost("nobody", 1)));
        } finally {
            System.setErr(usual);
        }

        // then
        assertThat(log.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("cannot connect to nobody:1")
                .contains("(3 rounds of attempts in 15 ms): unknown host name; more follow");
    }

    @Test
    void shouldKeepTheOrderOfTheListUnlessItIsToBeShuffled() {
        // given
        BrokerHost[] hosts =
                IntStream.range(0, 6)
                        .mapToObj(i -> new BrokerHost("h" + i, 1))
                        .toArray(BrokerHost[]::new);
        List<String> listed = List.of("h0", "h1", "h2", "h3", "h4", "h5");

        // when
        failureOf(rounds(terms(1, 0), hosts));
        List<String> ordered = List.copyOf(lookedUp);
        lookedUp.clear();
        failureOf(rounds(new RetryTerms(RoundLimit.of(19), 10, 1, 10, 0, true), hosts));

        // then
        assertThat(ordered.subList(0, 6)).isEqualTo(listed);
        assertThat(ordered.subList(6, 12)).isEqualTo(listed);
        HashSet<List<String>> orders = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            List<String> round = List.copyOf(lookedUp.subList(6 * i, 6 * i + 6));
            assertThat(round).containsExactlyInAnyOrderElementsOf(listed);
            orders.add(round);
        }
        assertThat(orders).hasSizeGreaterThan(1);
    }
}
