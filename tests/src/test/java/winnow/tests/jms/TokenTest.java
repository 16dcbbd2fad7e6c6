package winnow.tests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.tests.jms.JmsBroker.textOf;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.client.WinnowConnectionFactory;
import winnow.client.option.InterruptionListener;
import winnow.tests.RunningBroker;

/// Tokens as applications see them.
class TokenTest {
    private static final int WAIT_MILLIS = 10_000;

    private static final String RULES =
            """
            rules:
              - {who: root, may: admin}
              - {who: "oidc:desk", may: temporary}
              - {who: "oidc:desk", may: send, queues: "*"}
            """;

    private final ECKey key;
    private final Path file;
    private final RunningBroker broker;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();

    TokenTest(@TempDir Path directory) throws IOException, JOSEException {
        key = new ECKeyGenerator(Curve.P_256).keyID("k").generate();
        file = directory.resolve("token");
        Path keys = directory.resolve("keys.json");
        Files.writeString(keys, new JWKSet(key).toString());
        broker =
                new RunningBroker(
                        Map.of(
                                "security.tokens.issuer",
                                "https://issuer.example",
                                "security.tokens.audience",
                                "winnow",
                                "security.tokens.keys",
                                keys.toString(),
                                "security.tokens.clock-skew",
                                "0s",
                                "security.permissions",
                                Files.writeString(directory.resolve("rules.yaml"), RULES)
                                        .toString()));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    /// Replaces the file as a whole.
    private void renew(String user, int seconds, String... groups) throws Exception {
        SignedJWT token =
                new SignedJWT(
                        new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("k").build(),
                        new JWTClaimsSet.Builder()
                                .issuer("https://issuer.example")
                                .audience("winnow")
                                .subject(user)
                                .claim("groups", List.of(groups))
                                .expirationTime(Date.from(Instant.now().plusSeconds(seconds)))
                                .build());
        token.sign(new ECDSASigner(key));
        Path next = Files.writeString(file.resolveSibling("next"), token.serialize() + "\n");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private WinnowConnectionFactory factory() {
        WinnowConnectionFactory factory = new WinnowConnectionFactory(broker.url());
        factory.setTokenFile(file.toString());
        factory.setInterruptionListener(
                new InterruptionListener() {
                    @Override
                    public void onInterrupted(Connection of, String peer, JMSException cause) {
                        heard.add("interrupted " + cause.getErrorCode());
                    }

                    @Override
                    public void onResumed(Connection of, String peer, Duration gap) {
                        heard.add("resumed");
                    }
                });
        return factory;
    }

    @Test
    void shouldGoOnWithARenewedToken() throws Exception {
        renew("ann", 3, "desk");
        try (Connection connection = factory().createConnection()) {
            connection.setExceptionListener(told::add);
            connection.start();
            Session session = connection.createSession();
            TemporaryQueue replies = session.createTemporaryQueue();
            MessageConsumer consumer = session.createConsumer(replies);

            renew("ann", 300, "desk");

            assertThat(heard.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS))
                    .isEqualTo("interrupted CREDENTIALS_EXPIRED");
            assertThat(heard.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo("resumed");
            session.createProducer(replies).send(session.createTextMessage("a"));
            assertThat(textOf(consumer.receive(WAIT_MILLIS))).isEqualTo("a");
            assertThat(told).isEmpty();
        }
    }

    @Test
    void shouldRefuseAnEndedTokenAndWhatNoGroupMay() throws Exception {
        renew("ann", -1, "desk");
        assertThatThrownBy(() -> factory().createConnection())
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining("token: expected one that is still valid");

        renew("bob", 300, "others");
        try (Connection connection = factory().createConnection()) {
            Session session = connection.createSession();
            assertThatThrownBy(session::createTemporaryQueue)
                    .isInstanceOf(JMSSecurityException.class)
                    .hasMessageContaining("user 'bob' may not");
        }
    }
}
