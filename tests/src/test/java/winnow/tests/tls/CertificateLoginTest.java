package winnow.tests.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.X509Bundle;
import jakarta.jms.Connection;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.broker.security.UserFileWriter;
import winnow.client.WinnowConnectionFactory;
import winnow.wire.tls.TrustedCertificates;

/// Users whom their certificates prove, on both ports.
class CertificateLoginTest {
    private static final String RULES =
            """
            rules:
              - {who: root, may: admin}
              - {who: "certificate:desk", may: [send, view], queues: "*"}
            """;

    private final Certificates certificates;
    private final Broker broker;

    CertificateLoginTest(@TempDir Path directory) throws Exception {
        certificates = new Certificates(directory, "authority");
        Path users = directory.resolve("users");
        UserFileWriter.put(users, "root", "root");
        Map<String, String> settings =
                new HashMap<>(certificates.pem(certificates.sign(Certificates.localhost())));
        settings.put("tls.client-auth", "want");
        settings.put("tls.client-certificates", certificates.trusted().toString());
        settings.put("security.users", users.toString());
        settings.put("security.certificates.user", "subject.CN");
        settings.put("security.certificates.groups", "subject.OU");
        settings.put(
                "security.permissions",
                Files.writeString(directory.resolve("rules.yaml"), RULES).toString());
        broker = new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private X509Bundle client(String subject) throws Exception {
        return certificates.sign(
                new io.netty.pkitesting.CertificateBuilder().ecp256().subject(subject));
    }

    private WinnowConnectionFactory factory() throws IOException {
        WinnowConnectionFactory factory =
                new WinnowConnectionFactory(
                        "winnows://localhost:"
                                + broker.address().getPort()
                                + "?mechanism=EXTERNAL&startupMaxReconnectAttempts=0");
        factory.setTrustStore(certificates.trusted().toString());
        return factory;
    }

    @Test
    void shouldTellUserAndGroupsByTheCertificate() throws Exception {
        WinnowConnectionFactory factory = factory();
        factory.setKeyStore(certificates.pair(client("CN=ann,OU=desk")).toString());
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession();
            session.createProducer(session.createQueue("orders"));
            assertThatThrownBy(() -> session.createConsumer(session.createQueue("orders")))
                    .isInstanceOf(JMSSecurityException.class)
                    .hasMessageContaining("user 'ann' may not receive from queue 'orders'");
        }
    }

    private void refused(WinnowConnectionFactory factory, String why) {
        assertThatThrownBy(factory::createConnection)
                .isInstanceOf(JMSSecurityException.class)
                .hasMessageContaining(why);
    }

    @Test
    void shouldRefuseWhatProvesNoUser() throws Exception {
        WinnowConnectionFactory factory = factory();
        refused(factory, "certificate: expected one of the client's own by TLS");

        factory.setKeyStore(certificates.pair(client("CN=ann,CN=bob")).toString());
        refused(factory, "expected one name of a user at subject.CN");

        factory.setKeyStore(certificates.pair(client("CN=root")).toString());
        refused(factory, "expected a user who is not in security.users, found 'root'");

        factory.setKeyStore(certificates.pair(client("CN=ann")).toString());
        factory.setUsername("bob");
        refused(factory, "expected no authorisation id or the user's own, found 'bob'");
    }

    private int status(KeyManager[] keys, String path, String... headers) throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        TrustManager[] trusted = {TrustedCertificates.of(certificates.trusted(), "")};
        tls.init(keys, trusted, null);
        try (HttpClient http = HttpClient.newBuilder().sslContext(tls).build()) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(
                            URI.create(
                                    "https://localhost:" + broker.httpAddress().getPort() + path));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    private KeyManager[] keys(X509Bundle bundle) throws Exception {
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore store = bundle.toKeyStore(Certificates.PASSWORD.toCharArray());
        keys.init(store, Certificates.PASSWORD.toCharArray());
        return keys.getKeyManagers();
    }

    @Test
    void shouldTellTheUserOfAnHttpRequest() throws Exception {
        KeyManager[] ann = keys(client("CN=ann,OU=desk"));

        assertThat(status(ann, "/api/v1/queues")).isEqualTo(200);
        assertThat(status(ann, "/api/v1/settings")).isEqualTo(403);
        assertThat(status(new KeyManager[0], "/api/v1/queues")).isEqualTo(401);
        // Other credentials count more.
        assertThat(status(ann, "/api/v1/settings", "Authorization", "Basic cm9vdDpyb290"))
                .isEqualTo(200);
        assertThat(status(ann, "/api/v1/queues", "Authorization", "Basic cm9vdDp3cm9uZw=="))
                .isEqualTo(401);
    }
}
