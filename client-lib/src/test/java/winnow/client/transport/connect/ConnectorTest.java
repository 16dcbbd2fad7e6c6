package winnow.client.transport.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.client.transport.ConnectionEvents;
import winnow.client.transport.DirectSocket;
import winnow.client.transport.SharedEventLoops;
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

class ConnectorTest {
    private static final ControlFrame.Welcome WELCOME =
            new ControlFrame.Welcome(
                    Protocol.MAJOR_VERSION, 0, 0, 1, 0, 1024, 1024, "scripted", null);

    /// Event loops of no other test. Time that a busy machine may take before it begins to wait.
    private static final int SLACK_MILLIS = 400;

    private static final int IO_THREADS = 3;

    private static final InetAddress[] LOCAL = {InetAddress.getLoopbackAddress()};

    private ServerSocket server;
    private final AtomicInteger accepted = new AtomicInteger();
    private final List<DirectSocket> made = Collections.synchronizedList(new ArrayList<>());
    private final CompletableFuture<TransportException> lost = new CompletableFuture<>();

    @BeforeEach
    void bind() throws IOException {
        server = new ServerSocket(0, 50, LOCAL[0]);
    }

    @AfterEach
    void unbind() throws IOException {
        server.close();
    }

    private void answerWith(ControlFrame answer) {
        Thread acceptor =
                new Thread(() -> {
                    while (!server.isClosed()) {
                        try (Socket socket = server.accept()) {
                            accepted.incrementAndGet();
                            DataInputStream in = new DataInputStream(socket.getInputStream());
                            in.readFully(new byte[Protocol.PREAMBLE_BYTES]);
                            in.readFully(new byte[in.readInt()]);
                            WireWriter out = new WireWriter(64);
                            answer.write(out);
                            socket.getOutputStream().write(out.toByteArray());
                            // Until the client says goodbye.
                            in.readFully(new byte[in.readInt()]);
                        } catch (IOException broken) {
                            // By the client.
                        }
                    }
                });
        acceptor.setDaemon(true);
        acceptor.start();
    }

    private ConnectionTarget target(String host, int timeoutMillis) {
        return target(RoundLimit.of(0), timeoutMillis, new BrokerHost(host, server.getLocalPort()));
    }

    private static ConnectionTarget target(
            RoundLimit rounds, int timeoutMillis, BrokerHost... hosts) {
        Login login = new Login("", Login.SCRAM, "", "", 0, "test");
        return new ConnectionTarget(
                List.of(hosts),
                new RetryTerms(rounds, 10, 2, 1000, 10, false),
                login,
                new ConnectionLimits(timeoutMillis, timeoutMillis, 1 << 20),
                IO_THREADS,
                SocketTerms.USUAL,
                null);
    }

    private final ConnectionEvents events =
            new ConnectionEvents() {
                @Override
                public void onLost(
                        WireConnection lostOne,
                        TransportException cause,
                        List<UnansweredPublish> unanswered) {
                    lost.complete(cause);
                }

                @Override
                public void onRefused(String destination, TransportException reason) {}
            };

    private ConnectRounds connector(
            ConnectionTarget target, HostAddresses names, ChannelFactory<DirectSocket> sockets) {
        Connector round =
                new Connector(
                        target,
                        events,
                        names,
                        () -> {
                            DirectSocket socket = sockets.newChannel();
                            made.add(socket);
                            return socket;
                        });
        return new ConnectRounds(target, round, RoundClock.SYSTEM, new Random(1));
    }

    private ConnectRounds connector(int timeoutMillis, String... addresses) {
        return connector(target("broker", timeoutMillis), names(addresses), DirectSocket::new);
    }

    private static HostAddresses names(String... addresses) {
        return new HostAddresses(host -> {
            InetAddress[] found = new InetAddress[addresses.length];
            for (int i = 0; i < found.length; i++) {
                found[i] = InetAddress.getByName(addresses[i]);
            }
            return found;
        });
    }

    private TransportException failureOf(ConnectRounds connector) {
        TransportException failure =
                catchThrowableOfType(TransportException.class, connector::connect);
        assertThat(failure).isNotNull();
        assertThat(made).noneMatch(DirectSocket::isOpen);
        return failure;
    }

    private TransportException interrupted(ConnectRounds connector) {
        Thread.currentThread().interrupt();
        try {
            return failureOf(connector);
        } finally {
            assertThat(Thread.interrupted()).as("interrupt is kept").isTrue();
        }
    }

    @Test
    void shouldTryTheNextAddressWhereNobodyListens() throws Exception {
        // given
        answerWith(WELCOME);

        // when
        WireConnection connection = connector(10_000, "127.0.0.2", "127.0.0.1").connect();

        // then
        assertThat(connection.product()).isEqualTo("scripted");
        assertThat(made).hasSize(2);
        assertThat(made.get(0).isOpen()).isFalse();
        connection.close(10_000);
        assertThat(made.get(1).isOpen()).isFalse();
        assertThat(lost).isNotDone();
    }

    @Test
    void shouldTryTheNextAddressIfOneIsSilent() throws Exception {
        // given
        try (ServerSocket silent =
                new ServerSocket(server.getLocalPort(), 50, InetAddress.getByName("127.0.0.3"))) {
            assertThat(silent.isBound()).isTrue();
            answerWith(WELCOME);

            // when
            WireConnection connection = connector(2000, "127.0.0.3", "127.0.0.1").connect();

            // then
            assertThat(connection.product()).isEqualTo("scripted");
            assertThat(made.get(0).isOpen()).isFalse();
            connection.close(10_000);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 0, 0, 1000",
        "-1, 0, 1, 0, 1500",
        "0, 0, 0, 0, 1500",
        "1, 0, 1, 0, 1500",
        "-1, 3, 0, 0, 1000",
        "-1, 3, 0, 2, 1500"
    })
    void shouldWaitForOneOfSeveralHostsTheLongerTheLaterTheRound(
            int repeats, int limitSeconds, int before, int spentSeconds, int millis)
            throws Exception {
        // given two that accept connections and say nothing
        BrokerHost silent = new BrokerHost("127.0.0.1", server.getLocalPort());
        ConnectionTarget target =
                target(
                        new RoundLimit(repeats, TimeUnit.SECONDS.toNanos(limitSeconds)),
                        1500,
                        silent,
                        silent);
        List<FailedAttempt> failures = new ArrayList<>();

        // when
        WireConnection none =
                new Connector(target, events)
                        .connect(before, TimeUnit.SECONDS.toNanos(spentSeconds), failures);

        // then
        assertThat(none).isNull();
        assertThat(failures).hasSize(2);
        assertThat(failures)
                .extracting(attempt -> Integer.parseInt(attempt.text(true).replaceAll("\\D", "")))
                .allMatch(waited -> waited <= millis && waited > millis - SLACK_MILLIS);
    }

    @Test
    void shouldNameEachAddressWithItsReason() throws Exception {
        // given
        try (ServerSocket other =
                new ServerSocket(server.getLocalPort(), 50, InetAddress.getByName("127.0.0.3"))) {
            Thread greeter =
                    new Thread(() -> {
                        try (Socket socket = other.accept()) {
                            socket.getOutputStream()
                                    .write("SSH-2.0-x\r\n".getBytes(StandardCharsets.US_ASCII));
                            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                        } catch (IOException broken) {
                            return;
                        }
                    });
            greeter.start();

            // when
            TransportException failure = failureOf(connector(10_000, "127.0.0.2", "127.0.0.3"));

            // then
            assertThat(failure)
                    .hasMessage(
                            "cannot connect to broker:%d: 127.0.0.2: Connection refused;"
                                    + " 127.0.0.3: it answers as an SSH server, not as a Winnow"
                                    + " broker; the messaging port is 61616 by default",
                            server.getLocalPort());
            assertThat(failure.local()).isEqualTo(LocalFailure.CONNECT_FAILED);
            greeter.join();
        }
    }

    @Test
    void shouldTakeABrokersRefusalAsFinal() {
        // given
        answerWith(new ControlFrame.Goodbye(ErrorCode.AUTHENTICATION_FAILED.number(), "no"));

        // when
        TransportException failure = failureOf(connector(10_000, "127.0.0.1", "127.0.0.1"));

        // then
        assertThat(failure.code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED);
        assertThat(accepted).hasValue(1);
    }

    @Test
    void shouldNotWaitForANameServerThatHangs() throws Exception {
        // given
        answerWith(WELCOME);
        CompletableFuture<InetAddress[]> answer = new CompletableFuture<>();
        AtomicInteger lookUps = new AtomicInteger();
        HostAddresses hanging =
                new HostAddresses(host -> {
                    lookUps.incrementAndGet();
                    return answer.join();
                });

        // when
        TransportException first =
                failureOf(connector(target("broker", 200), hanging, DirectSocket::new));
        TransportException second =
                interrupted(connector(target("broker", 60_000), hanging, DirectSocket::new));

        // then
        assertThat(first)
                .hasMessageContaining("cannot connect to broker:" + server.getLocalPort())
                .hasMessageContaining("the host name was not resolved within 200 ms");
        assertThat(first.local()).isEqualTo(LocalFailure.TIMED_OUT);
        assertThat(second.local()).isEqualTo(LocalFailure.INTERRUPTED);
        assertThat(lookUps).hasValue(1);
        connector(10_000, "127.0.0.1").connect().close(10_000);
        answer.complete(LOCAL);
        connector(target("broker", 10_000), hanging, DirectSocket::new).connect().close(10_000);
    }

    @Test
    void shouldLimitHangingLookUps() {
        // given
        CompletableFuture<InetAddress[]> answer = new CompletableFuture<>();
        HostAddresses hanging = new HostAddresses(host -> answer.join());
        for (int i = 0; i < 64; i++) {
            failureOf(connector(target("broker" + i, 1), hanging, DirectSocket::new));
        }

        // when
        TransportException failure =
                failureOf(connector(target("one-more", 60_000), hanging, DirectSocket::new));

        // then
        assertThat(failure).hasMessageContaining("64 other host names are being resolved");
        answer.cancel(false);
    }

    @Test
    void shouldCloseTheSocketIfTcpDoesNotAnswer() {
        // when
        TransportException late =
                failureOf(connector(target("127.0.0.1", 100), names(), NeverConnecting::new));
        TransportException interrupted =
                interrupted(connector(target("127.0.0.1", 60_000), names(), NeverConnecting::new));

        // then
        assertThat(late)
                .hasMessageContaining("no answer within 100 ms")
                .hasMessageContaining("127.0.0.1:" + server.getLocalPort());
        assertThat(late.local()).isEqualTo(LocalFailure.TIMED_OUT);
        assertThat(interrupted.local()).isEqualTo(LocalFailure.INTERRUPTED);
        assertThat(made).hasSize(2);
    }

    @Test
    void shouldCloseTheSocketIfTheHandshakeIsInterrupted() throws Exception {
        // given
        CompletableFuture<TransportException> failed = new CompletableFuture<>();
        Thread connecting =
                new Thread(() -> failed.complete(failureOf(connector(60_000, "127.0.0.1"))));
        connecting.start();

        // when
        try (Socket socket = server.accept()) {
            assertThat(socket.getInputStream().read()).isEqualTo('W');
            connecting.interrupt();

            // then
            assertThat(failed.get(10, TimeUnit.SECONDS).local())
                    .isEqualTo(LocalFailure.INTERRUPTED);
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }
        assertThat(lost).isNotDone();
    }

    @Test
    void shouldSayThatDescriptorsRanOut() {
        // given
        SharedEventLoops loops = SharedEventLoops.acquire(IO_THREADS);
        EventLoopGroup group = loops.group();
        loops.release();

        // when
        TransportException failure =
                failureOf(
                        connector(
                                target("127.0.0.1", 60_000),
                                names(),
                                () -> {
                                    throw new ChannelException(
                                            "Failed to open a socket.",
                                            new SocketException("Too many open files"));
                                }));

        // then
        assertThat(failure)
                .hasMessageContaining("no socket could be opened: Too many open files")
                .hasMessageContaining("127.0.0.1:" + server.getLocalPort());
        assertThat(failure.local()).isEqualTo(LocalFailure.CONNECT_FAILED);
        assertThat(group.terminationFuture().awaitUninterruptibly(30, TimeUnit.SECONDS))
                .as("the event loops end when no connection uses them")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellTheCauseIfNettyIsIncomplete(boolean hasLoop) {
        // given
        SharedEventLoops loops = SharedEventLoops.acquire(IO_THREADS);
        EventLoopGroup group = loops.group();
        loops.release();

        // when a method of Netty is not there, before or after the socket has its event loop
        TransportException failure =
                failureOf(
                        connector(target("127.0.0.1", 60_000), names(), () -> new Broken(hasLoop)));

        // then
        assertThat(failure)
                .hasMessageContaining("NoSuchMethodError: io.netty.channel.Missing.method")
                .hasRootCauseInstanceOf(NoSuchMethodError.class);
        assertThat(group.terminationFuture().awaitUninterruptibly(30, TimeUnit.SECONDS))
                .as("the event loops end when no connection uses them")
                .isTrue();
    }

    /// Setting it up fails as with another version of Netty.
    private static final class Broken extends DirectSocket {
        private final boolean withLoop;

        Broken(boolean withLoop) {
            this.withLoop = withLoop;
        }

        @Override
        public ChannelPipeline pipeline() {
            if (isRegistered() == withLoop) {
                throw new NoSuchMethodError("io.netty.channel.Missing.method");
            }
            return super.pipeline();
        }
    }

    /// Its peer never answers.
    private static final class NeverConnecting extends DirectSocket {
        @Override
        protected boolean doConnect(SocketAddress remote, SocketAddress local) {
            return false;
        }
    }
}
