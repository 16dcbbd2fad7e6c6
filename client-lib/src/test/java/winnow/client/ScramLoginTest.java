package winnow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.wire.FrameType;
import winnow.wire.frame.ControlFrame;
import winnow.wire.scram.ScramException;
import winnow.wire.scram.ScramServer;
import winnow.wire.scram.ScramVerifier;

class ScramLoginTest {
    private static final ScramVerifier SECRET = ScramVerifier.of("secret");

    private final AtomicReference<@Nullable ScramServer> exchange = new AtomicReference<>();
    private ScriptedBroker broker = new ScriptedBroker();

    ScramLoginTest() throws IOException {}

    @BeforeEach
    void speakScram() {
        broker.onHello(this::challenge);
        broker.onResponse(response -> List.of(last(response), ScriptedBroker.welcome(1000, 0)));
    }

    @AfterEach
    void stop() throws IOException {
        broker.close();
    }

    private ControlFrame challenge(ControlFrame.Hello hello) {
        try {
            ScramServer begun = new ScramServer(hello.initialResponse(), user -> SECRET);
            exchange.set(begun);
            return new ControlFrame.Challenge(begun.first());
        } catch (ScramException e) {
            throw new AssertionError(e);
        }
    }

    private ControlFrame last(ControlFrame.Response response) {
        ScramServer begun = exchange.get();
        try {
            return new ControlFrame.Challenge(begun == null ? "" : begun.last(response.data()));
        } catch (ScramException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldProveThePasswordWithoutSendingIt() throws Exception {
        // when
        try (Connection connection = broker.factory().createConnection("ann", "secret")) {
            // then
            ControlFrame.Hello hello = (ControlFrame.Hello) broker.await(FrameType.HELLO).control();
            assertThat(hello.mechanism()).isEqualTo("SCRAM-SHA-256");
            assertThat(hello.initialResponse()).startsWith("n,,n=ann,r=");
            assertThat(connection.createSession()).isNotNull();
            ScramServer begun = exchange.get();
            assertThat(begun == null ? "" : begun.user()).isEqualTo("ann");
        }
    }

    private void shouldRefuse(String expected) {
        JMSException failure =
                catchThrowableOfType(
                        JMSException.class,
                        () -> broker.factory().createConnection("ann", "secret"));
        assertThat(failure)
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining(broker.url().substring("winnow://".length()))
                .hasMessageContaining(expected);
        assertThat(failure.getErrorCode()).isEqualTo("AUTHENTICATION_FAILED");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=", "v=", "e=x", "nonsense"})
    void shouldNotBelieveABrokerThatDoesNotKnowThePassword(String serverFinal) {
        // given
        broker.onResponse(response ->
                List.of(new ControlFrame.Challenge(serverFinal), ScriptedBroker.welcome(1000, 0)));

        // then
        shouldRefuse("SCRAM-SHA-256: ");
    }

    @Test
    void shouldNotBelieveABrokerThatProvesNothing() {
        // given
        broker.onHello(hello -> ScriptedBroker.welcome(1000, 0));

        // then
        shouldRefuse("expected a proof that the broker knows the password of 'ann', found none");
    }

    @Test
    void shouldNotBelieveABrokerThatSkipsItsProof() {
        // given
        broker.onResponse(response -> List.of(ScriptedBroker.welcome(1000, 0)));

        // then
        shouldRefuse("expected a proof that the broker knows the password of 'ann', found none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "r=x,s=AAAA,i=4096", "i=4096", "r=,s=,i="})
    void shouldNotAnswerAChallengeThatIsNone(String challenge) {
        // given
        broker.onHello(hello -> new ControlFrame.Challenge(challenge));

        // then
        shouldRefuse("SCRAM-SHA-256: expected ");
    }

    @Test
    void shouldNotSpendHoursOnIterations() {
        // given
        broker.onHello(hello -> {
            String nonce = hello.initialResponse().substring("n,,n=ann,r=".length());
            return new ControlFrame.Challenge("r=" + nonce + "x,s=AAAA,i=999999999");
        });

        // then
        shouldRefuse("expected 4096 to 5000000 iterations, found 999999999");
    }

    @Test
    void shouldRefuseChallengesWithoutEnd() {
        // given
        broker.onResponse(
                response -> List.of(last(response), new ControlFrame.Challenge("v=AAAA")));

        // then
        assertThatThrownBy(() -> broker.factory().createConnection("ann", "secret"))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("expected Welcome, found challenge 3");
    }

    @Test
    void shouldRefuseAChallengeWithoutUser() {
        assertThatThrownBy(
                        () -> {
                            broker.onHello(
                                    hello -> new ControlFrame.Challenge("r=x,s=AAAA,i=4096"));
                            broker.factory().createConnection();
                        })
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("expected Welcome, found challenge 1");
    }
}
