package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import winnow.client.option.LocalNames;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.PeerDescription;
import winnow.wire.frame.ControlFrame;

class HandshakeTest {
    private ScriptedBroker broker;

    @BeforeEach
    void startBroker() throws IOException {
        broker = new ScriptedBroker();
    }

    @AfterEach
    void stopBroker() throws IOException {
        broker.close();
    }

    private ControlFrame.Hello hello() {
        return (ControlFrame.Hello) broker.await(FrameType.HELLO).control();
    }

    @Test
    void shouldConnectAnonymously() throws Exception {
        // when
        try (Connection connection = broker.factory().createConnection()) {
            // then
            ControlFrame.Hello hello = hello();
            assertThat(hello.mechanism()).isEqualTo("ANONYMOUS");
            assertThat(hello.initialResponse()).isEmpty();
            assertThat(hello.clientId()).isEmpty();
            assertThat(connection.getClientID()).isNull();
        }
    }

    @Test
    void shouldSayWhichApplicationItIs() throws Exception {
        // when
        try (Connection connection =
                broker.factory("application=order%20desk").createConnection()) {
            // then
            PeerDescription said = PeerDescription.parse(hello().product());
            assertThat(said.application()).isEqualTo("order desk");
            assertThat(said.host()).isEqualTo(LocalNames.host());
            assertThat(said.product()).startsWith("winnow-client/");
            connection.start();
        }
    }

    @Test
    void shouldSayItsMainClassWhereItHasNoName() throws Exception {
        // when
        try (Connection connection = broker.factory().createConnection()) {
            // then
            assertThat(PeerDescription.parse(hello().product()).application())
                    .isNotEmpty()
                    .isEqualTo(LocalNames.program());
            connection.start();
        }
    }

    @Test
    void shouldSendThePasswordIfToldTo() throws Exception {
        // given
        WinnowConnectionFactory factory = broker.factory("mechanism=PLAIN");

        // when
        try (Connection connection = factory.createConnection("ann", "secret")) {
            // then
            ControlFrame.Hello hello = hello();
            assertThat(hello.mechanism()).isEqualTo("PLAIN");
            assertThat(hello.initialResponse()).isEqualTo("\0ann\0secret");
            assertThat(connection.getMetaData().getJMSVersion()).isEqualTo("3.1");
        }
    }

    @Test
    void shouldFailWithSecurityExceptionIfCredentialsAreRefused() {
        // given
        broker.onHello(hello ->
                new ControlFrame.Goodbye(ErrorCode.AUTHENTICATION_FAILED.number(), "unknown user"));

        // when, then
        assertThatThrownBy(() -> broker.factory().createConnection("ann", "wrong"))
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("refused the connection: unknown user");
        assertThatThrownBy(() -> broker.factory().createContext("ann", "wrong"))
                .isInstanceOf(JMSSecurityRuntimeException.class);
    }

    @Test
    void shouldFailIfNobodyListens() throws IOException {
        // given
        int freePort;
        try (ServerSocket socket = new ServerSocket(0)) {
            freePort = socket.getLocalPort();
        }

        WinnowConnectionFactory factory =
                new WinnowConnectionFactory("winnow://127.0.0.1:" + freePort);
        factory.setStartupMaxReconnectAttempts(0);

        // when, then
        assertThatThrownBy(factory::createConnection)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("cannot connect to 127.0.0.1:" + freePort);
    }

    @Test
    void shouldGiveUpIfTheBrokerDoesNotAnswer() {
        // given a time-out that leaves even a loaded machine the time to connect
        broker.holdAnswers(FrameType.HELLO);
        WinnowConnectionFactory factory = broker.factory("startupMaxReconnectAttempts=0");
        factory.setConnectTimeout(3000);

        // when, then
        assertThatThrownBy(factory::createConnection)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("did not answer within");
    }

    @Test
    void shouldRefuseAnotherMajorVersion() {
        // given
        broker.onHello(
                hello -> new ControlFrame.Welcome(2, 0, 0, 1, 0, 1000, 1000, "future", null));

        // when, then
        assertThatThrownBy(() -> broker.factory().createConnection())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("expected protocol version 1, found 2");
        assertThat(((ControlFrame.Goodbye) broker.await(FrameType.GOODBYE).control()).code())
                .isEqualTo(ErrorCode.UNSUPPORTED_VERSION.number());
    }

    @Test
    void shouldSendTheConfiguredClientIdentifier() throws Exception {
        // given
        WinnowConnectionFactory factory = broker.factory();
        factory.setClientID("meter-7");

        // when
        try (Connection connection = factory.createConnection()) {
            // then
            assertThat(hello().clientId()).isEqualTo("meter-7");
            assertThat(connection.getClientID()).isEqualTo("meter-7");
            assertThatThrownBy(() -> connection.setClientID("other"))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldConnectAgainForAClientIdentifierThatIsSetLater() throws Exception {
        // given
        try (Connection connection = broker.factory().createConnection()) {
            assertThat(hello().clientId()).isEmpty();

            // when
            connection.setClientID("meter-7");

            // then
            assertThat(hello().clientId()).isEqualTo("meter-7");
            broker.await(FrameType.GOODBYE);
            assertThat(connection.createSession()).isNotNull();
        }
    }

    @Test
    void shouldNotSetAClientIdentifierOfAUsedConnection() throws Exception {
        // given
        try (Connection connection = broker.factory().createConnection()) {
            connection.createSession();

            // when, then
            assertThatThrownBy(() -> connection.setClientID("late"))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldSayThatAClientIdentifierIsInUse() throws Exception {
        // given
        try (Connection connection = broker.factory().createConnection()) {
            broker.onHello(hello ->
                    new ControlFrame.Goodbye(ErrorCode.CLIENT_ID_IN_USE.number(), "taken"));

            // when, then
            assertThatThrownBy(() -> connection.setClientID("taken"))
                    .isInstanceOf(InvalidClientIDException.class);
            assertThatThrownBy(() -> connection.setClientID(""))
                    .isInstanceOf(InvalidClientIDException.class);
            assertThat(connection.getClientID()).isNull();
            assertThat(connection.createSession()).isNotNull();
        }
    }
}
