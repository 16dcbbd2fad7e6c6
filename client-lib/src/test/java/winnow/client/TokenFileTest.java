package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.wire.ErrorCode;
import winnow.wire.FrameType;
import winnow.wire.bearer.BearerMessage;
import winnow.wire.frame.ControlFrame;

class TokenFileTest {
    private final ScriptedBroker broker = new ScriptedBroker();
    private final BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
    private final Path file;

    TokenFileTest(@TempDir Path directory) throws IOException {
        file = Files.writeString(directory.resolve("token"), "first.to.ken\n");
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    private String option() {
        return "tokenFile=" + URLEncoder.encode(file.toString(), StandardCharsets.UTF_8);
    }

    private String tokenSent() throws Exception {
        ControlFrame.Hello hello = (ControlFrame.Hello) broker.await(FrameType.HELLO).control();
        assertThat(hello.mechanism()).isEqualTo("OAUTHBEARER");
        return BearerMessage.parse(hello.initialResponse()).token();
    }

    @Test
    void shouldReadTheTokenAtEachLogin() throws Exception {
        WinnowConnectionFactory factory = broker.factory(option());
        try (Connection connection = factory.createConnection()) {
            connection.start();
            assertThat(tokenSent()).isEqualTo("first.to.ken");
        }
        Files.writeString(file, "second");
        try (Connection connection = factory.createConnection(null, null)) {
            connection.start();
            assertThat(tokenSent()).isEqualTo("second");
        }
    }

    @Test
    void shouldTakeTheFileFromASetter() throws Exception {
        WinnowConnectionFactory factory = broker.factory();
        factory.setTokenFile(file.toString());
        assertThat(factory.getTokenFile()).isEqualTo(file.toString());
        try (Connection connection = factory.createConnection()) {
            connection.start();
            assertThat(tokenSent()).isEqualTo("first.to.ken");
        }
    }

    @Test
    void shouldComeBackWithAnotherTokenWhenItsOwnEnds() throws Exception {
        try (Connection connection = broker.returningFactory(option()).createConnection()) {
            connection.setExceptionListener(told::add);
            connection.start();
            assertThat(tokenSent()).isEqualTo("first.to.ken");

            Files.writeString(file, "second");
            broker.send(new ControlFrame.Goodbye(ErrorCode.CREDENTIALS_EXPIRED.number(), "ended"));

            assertThat(tokenSent()).isEqualTo("second");
            assertThat(told).isEmpty();
        }
    }

    /// It is renewed a bit too late.
    @Test
    void shouldTryAgainUntilTheTokenIsRenewed() throws Exception {
        try (Connection connection = broker.returningFactory(option()).createConnection()) {
            connection.setExceptionListener(told::add);
            connection.start();
            assertThat(tokenSent()).isEqualTo("first.to.ken");

            AtomicInteger refusals = new AtomicInteger();
            broker.onHello(hello -> {
                if (hello.initialResponse().contains("second")) {
                    return ScriptedBroker.welcome(1000, 0);
                }
                if (refusals.incrementAndGet() == 2) {
                    renew();
                }
                return new ControlFrame.Goodbye(
                        ErrorCode.AUTHENTICATION_FAILED.number(), "token: it has ended");
            });
            broker.send(new ControlFrame.Goodbye(ErrorCode.CREDENTIALS_EXPIRED.number(), "ended"));

            assertThat(tokenSent()).isEqualTo("first.to.ken");
            assertThat(tokenSent()).isEqualTo("first.to.ken");
            assertThat(tokenSent()).isEqualTo("second");
            assertThat(told).isEmpty();
        }
    }

    private void renew() {
        try {
            Files.writeString(file, "second");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldGiveUpWhereTheFirstTokenIsRefused() {
        broker.onHello(hello ->
                new ControlFrame.Goodbye(
                        ErrorCode.AUTHENTICATION_FAILED.number(), "token: it has ended"));

        assertThatThrownBy(() -> broker.returningFactory(option()).createConnection())
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("token: it has ended");
    }

    @Test
    void shouldSayWhatIsWrongWithTheFile() throws Exception {
        WinnowConnectionFactory factory = broker.factory(option());
        Files.writeString(file, "no token");
        assertThatThrownBy(factory::createConnection)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("tokenFile: " + file + ": expected a token of letters")
                .hasMessageContaining("found something else")
                .hasMessageNotContaining("no token");
        Files.writeString(file, "");
        assertThatThrownBy(factory::createConnection).hasMessageContaining("found nothing");
        Files.writeString(file, "x".repeat(8_192));
        assertThatThrownBy(factory::createConnection)
                .hasMessageContaining("client identifier and token are too long");
        Files.writeString(file, "x".repeat(9_000));
        assertThatThrownBy(factory::createConnection)
                .hasMessageContaining("of at most 8192 characters");
        Files.delete(file);
        assertThatThrownBy(factory::createConnection)
                .hasMessageContaining("expected a file with a token, found none");
    }

    @Test
    void shouldRefuseATokenBesideAUser() {
        assertThatThrownBy(() -> broker.factory(option() + "&username=ann").createConnection())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("options username and tokenFile: expected one of them, found both");
        assertThatThrownBy(() -> broker.factory(option()).createConnection("ann", "secret"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// 192.0.2.1 is nobody's (RFC 5737).
    @Test
    void shouldNotSendATokenThatOthersCouldRead() {
        WinnowConnectionFactory factory =
                new WinnowConnectionFactory(
                        "winnow://192.0.2.1?startupMaxReconnectAttempts=0&" + option());

        assertThatThrownBy(factory::createConnection)
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("expected winnows:// with a token (tokenFile)");
    }
}
