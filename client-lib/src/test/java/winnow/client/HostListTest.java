package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.Connection;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.ResourceAllocationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.error.ErrorCodes;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

/// A first connection to one of several hosts, which may need several rounds of attempts.
class HostListTest {
    private static final String NO_LIMIT =
            "startupMaxReconnectAttempts=-1&reconnectDelay=1&maxReconnectDelay=5";

    private final AtomicInteger hellos = new AtomicInteger();
    private ScriptedBroker broker;

    @BeforeEach
    void startBroker() throws IOException {
        broker = new ScriptedBroker();
    }

    @AfterEach
    void stopBroker() throws IOException {
        broker.close();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// A factory for that host and, as the second one, the scripted broker.
    private WinnowConnectionFactory before(String host, String options) {
        return new WinnowConnectionFactory(
                broker.url().replace("//", "//" + host + ",") + "?" + options);
    }

    private void answer(Function<Integer, ControlFrame> answer) {
        broker.onHello(hello -> answer.apply(hellos.incrementAndGet()));
    }

    private static ControlFrame refusal(ErrorCode code) {
        return new ControlFrame.Goodbye(code.number(), "refused");
    }

    private static ControlFrame welcome() {
        return ScriptedBroker.welcome(1024 * 1024, 0);
    }

    @Test
    void shouldConnectToTheSecondHostIfTheFirstRefuses() throws Exception {
        try (Connection connection =
                before("127.0.0.1:" + freePort(), "clientID=me").createConnection()) {
            assertThat(connection.getClientID()).isEqualTo("me");
        }
    }

    @Test
    void shouldConnectToTheSecondHostIfTheFirstIsSilent() throws Exception {
        try (OtherServer silent = OtherServer.silent();
                Connection connection =
                        before("127.0.0.1:" + silent.port(), "connectTimeout=500")
                                .createConnection()) {
            assertThat(connection.createSession()).isNotNull();
            assertThat(silent.ends().poll(10, TimeUnit.SECONDS)).as("end").isNotNull();
        }
    }

    @Test
    void shouldConnectToTheSecondHostIfTheFirstDoesNotResolve() throws Exception {
        try (JMSContext context = before("nobody.invalid", "heartbeat=0").createContext()) {
            assertThat(context.createTopic("t")).isNotNull();
        }
    }

    @Test
    void shouldTryAgainUntilTheBrokerHasRoom() throws Exception {
        // given
        answer(count -> count < 4 ? refusal(ErrorCode.LIMIT_EXCEEDED) : welcome());

        // when
        try (Connection connection = broker.factory(NO_LIMIT).createConnection()) {
            // then
            assertThat(connection.createSession()).isNotNull();
            assertThat(hellos).hasValue(4);
        }
    }

    @Test
    void shouldTryAgainByDefault() throws Exception {
        // given
        answer(count -> count < 4 ? refusal(ErrorCode.SHUTTING_DOWN) : welcome());

        // when
        try (Connection connection = broker.factory().createConnection()) {
            // then
            assertThat(connection.createSession()).isNotNull();
            assertThat(hellos).hasValue(4);
        }
    }

    @Test
    void shouldTryOnceOnlyIfDemanded() {
        // given
        answer(count -> refusal(ErrorCode.LIMIT_EXCEEDED));

        // when
        Throwable failure =
                catchThrowable(
                        () -> broker.factory("startupMaxReconnectAttempts=0").createConnection());

        // then
        assertThat(failure)
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageEndingWith("refused the connection: refused");
        assertThat(hellos).hasValue(1);
    }

    @Test
    void shouldNotTryAWrongPasswordAgain() throws Exception {
        // given
        answer(count -> refusal(ErrorCode.AUTHENTICATION_FAILED));

        // when
        Throwable failure =
                catchThrowable(
                        () -> before("127.0.0.1:" + freePort(), NO_LIMIT).createConnection());

        // then
        assertThat(failure).isInstanceOf(JMSSecurityException.class);
        assertThat(hellos).hasValue(1);
    }

    @Test
    void shouldNotTryAClientIdentifierThatIsInUseAgain() {
        // given
        answer(count -> refusal(ErrorCode.CLIENT_ID_IN_USE));

        // when
        Throwable failure =
                catchThrowable(() -> broker.factory(NO_LIMIT + "&clientID=x").createConnection());

        // then
        assertThat(failure).isInstanceOf(InvalidClientIDException.class);
        assertThat(hellos).hasValue(1);
    }

    @Test
    void shouldNotTryAgainToSetAClientIdentifier() throws Exception {
        // given
        answer(count -> count == 1 ? welcome() : refusal(ErrorCode.LIMIT_EXCEEDED));
        try (Connection connection = broker.factory(NO_LIMIT).createConnection()) {
            // when
            Throwable failure = catchThrowable(() -> connection.setClientID("me"));

            // then
            assertThat(failure).isInstanceOf(ResourceAllocationException.class);
            assertThat(hellos).hasValue(2);
            assertThat(connection.getClientID()).isNull();
        }
    }

    @Test
    void shouldNameEveryHostWithItsReason() throws Exception {
        // given
        int port = freePort();
        WinnowConnectionFactory factory =
                new WinnowConnectionFactory(
                        "winnow://127.0.0.1:%d,nobody.invalid:7000?%s"
                                .formatted(
                                        port,
                                        "startupMaxReconnectAttempts=2&reconnectDelay=1&"
                                                + "maxReconnectDelay=1"));

        // when
        JMSException failure = catchThrowableOfType(JMSException.class, factory::createConnection);

        // then
        assertThat(failure)
                .hasMessageMatching(
                        ("cannot connect to 127.0.0.1:%d, nobody.invalid:7000 \\(3 rounds of"
                                        + " attempts in [0-9.]+ m?s\\): 127.0.0.1:%d: Connection"
                                        + " refused; nobody.invalid:7000: unknown host name.* set"
                                        + " startupMaxReconnectAttempts.*")
                                .formatted(port, port));
        assertThat(failure.getErrorCode()).isEqualTo(ErrorCodes.CONNECT_FAILED);
    }

    @Test
    void shouldEndWhenInterrupted() throws Exception {
        // given
        CountDownLatch trying = new CountDownLatch(5);
        answer(count -> {
            trying.countDown();
            return refusal(ErrorCode.SHUTTING_DOWN);
        });
        CompletableFuture<Throwable> failed = new CompletableFuture<>();
        Thread connecting =
                new Thread(() ->
                        failed.complete(
                                catchThrowable(() -> broker.factory(NO_LIMIT).createConnection())));
        connecting.start();
        assertThat(trying.await(10, TimeUnit.SECONDS)).isTrue();

        // when
        connecting.interrupt();

        // then
        assertThat(failed.get(10, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        JMSException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(ErrorCodes.INTERRUPTED));
    }
}
