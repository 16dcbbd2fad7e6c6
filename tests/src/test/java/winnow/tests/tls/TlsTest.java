package winnow.tests.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.pkitesting.X509Bundle;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.client.WinnowConnectionFactory;

class TlsTest {
    private static final int WAIT_MILLIS = 20_000;

    @TempDir private Path directory = Path.of("");
    private Certificates certificates = newAuthority();

    private Certificates newAuthority() {
        try {
            return new Certificates(directory, "authority");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void makeAuthority() {
        certificates = newAuthority();
    }

    private X509Bundle localhost() throws Exception {
        return certificates.sign(Certificates.localhost());
    }

    private static Broker broker(Map<String, String> settings) throws IOException {
        return new Broker(BrokerConfig.of(settings), InetAddress.getLoopbackAddress(), 0, 0);
    }

    private WinnowConnectionFactory factory(Broker broker, String host) throws IOException {
        WinnowConnectionFactory factory =
                new WinnowConnectionFactory("winnows://" + host + ":" + broker.address().getPort());
        factory.setTrustStore(certificates.trusted().toString());
        return factory;
    }

    private static void requireEcho(WinnowConnectionFactory factory, String text) throws Exception {
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession();
            MessageConsumer consumer = session.createConsumer(session.createTopic("echo"));
            MessageProducer producer = session.createProducer(session.createTopic("echo"));
            connection.start();
            producer.send(session.createTextMessage(text));
            Message received = consumer.receive(WAIT_MILLIS);
            assertThat(received).isNotNull();
            assertThat(received.getBody(String.class)).isEqualTo(text);
        }
    }

    private static JMSException failure(WinnowConnectionFactory factory) {
        JMSException failure = catchThrowableOfType(JMSException.class, factory::createConnection);
        assertThat(failure).isNotNull();
        return failure;
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1"})
    void shouldSpeakTlsWithPemFiles(String host) throws Exception {
        try (Broker broker = broker(certificates.pem(localhost()))) {
            requireEcho(factory(broker, host), "hello");
        }
    }

    @Test
    void shouldSpeakTlsWithAPkcs12File() throws Exception {
        try (Broker broker = broker(certificates.pkcs12(localhost()))) {
            requireEcho(factory(broker, "localhost"), "hello");
        }
    }

    @Test
    void shouldSpeakTlsWithAnEncryptedKey() throws Exception {
        Map<String, String> settings = certificates.encryptedPem(localhost());
        try (Broker broker = broker(settings)) {
            requireEcho(factory(broker, "localhost"), "hello");
        }

        // when the password is another
        Files.writeString(Path.of(String.valueOf(settings.get("tls.password-file"))), "wrong\n");

        // then
        assertThatThrownBy(() -> broker(settings))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tls.certificate, tls.key: ")
                .hasMessageContaining("cannot be decrypted; is the password right?");
    }

    @Test
    void shouldSpeakTlsWithAnRsaKey() throws Exception {
        X509Bundle rsa = certificates.sign(Certificates.localhost().rsa2048());
        try (Broker broker = broker(certificates.pem(rsa))) {
            requireEcho(factory(broker, "localhost"), "hello");
        }
    }

    @Test
    void shouldCarryLargeMessages() throws Exception {
        try (Broker broker = broker(certificates.pem(localhost()))) {
            requireEcho(factory(broker, "localhost"), "0123456789".repeat(700_000));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldOfferBothVersions(String version) throws Exception {
        try (Broker broker = broker(certificates.pem(localhost()));
                SSLSocket socket = newSocket(broker.address().getPort())) {
            // when
            socket.setEnabledProtocols(new String[] {version});
            socket.startHandshake();

            // then
            assertThat(socket.getSession().getProtocol()).isEqualTo(version);
        }
    }

    @Test
    void shouldSpeakToABrokerOfTls12Only() throws Exception {
        // given
        X509Bundle bundle = localhost();
        try (Broker plain = broker(Map.of());
                OldTls old = OldTls.server(bundle, plain.address().getPort())) {
            WinnowConnectionFactory factory =
                    new WinnowConnectionFactory("winnows://localhost:" + old.port());
            factory.setTrustStore(certificates.trusted().toString());

            // then
            requireEcho(factory, "0123456789".repeat(100_000));
            assertThat(old.protocols()).containsOnly("TLSv1.2");
        }
    }

    @Test
    void shouldSpeakToAClientOfTls12Only() throws Exception {
        // given
        try (Broker broker = broker(certificates.pem(localhost()));
                OldTls old = OldTls.client(certificates.trusted(), broker.address().getPort())) {
            // then
            requireEcho(
                    new WinnowConnectionFactory("winnow://localhost:" + old.port()),
                    "0123456789".repeat(100_000));
            assertThat(old.protocols()).containsOnly("TLSv1.2");
        }
    }

    private SSLSocket newSocket(int port) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                null,
                new TrustManager[] {
                    winnow.wire.tls.TrustedCertificates.of(certificates.trusted(), "")
                },
                null);
        return (SSLSocket) context.getSocketFactory().createSocket("localhost", port);
    }

    @Test
    void shouldNotTrustAnUnknownIssuer() throws Exception {
        try (Broker broker = broker(certificates.pem(localhost()))) {
            // given
            WinnowConnectionFactory factory = factory(broker, "localhost");
            factory.setTrustStore("");

            // then
            assertThat(failure(factory))
                    .isInstanceOf(JMSSecurityException.class)
                    .hasMessageContaining("cannot connect to localhost:")
                    .hasMessageContaining("(CN=broker) is signed by an issuer that is not trusted")
                    .hasMessageContaining("(CN=authority): name the issuer's certificate by");
            factory.setTrustAll(true);
            requireEcho(factory, "any certificate will do");
        }
    }

    @Test
    void shouldNotTrustACertificateForAnotherHost() throws Exception {
        X509Bundle other =
                certificates.sign(
                        new io.netty.pkitesting.CertificateBuilder()
                                .ecp256()
                                .subject("CN=broker")
                                .addSanDnsName("broker.example"));
        try (Broker broker = broker(certificates.pem(other))) {
            // given
            WinnowConnectionFactory factory = factory(broker, "localhost");

            // then
            assertThat(failure(factory))
                    .hasMessageContaining("its certificate is for broker.example, not for localho");
            factory.setVerifyHost(false);
            requireEcho(factory, "any host will do");
        }
    }

    @Test
    void shouldCheckTheNameOfTheHostThatIsConnectedTo() throws Exception {
        X509Bundle named =
                certificates.sign(
                        new io.netty.pkitesting.CertificateBuilder()
                                .ecp256()
                                .subject("CN=broker")
                                .addSanDnsName("localhost"));
        try (Broker broker = broker(certificates.pem(named))) {
            // given
            WinnowConnectionFactory factory = factory(broker, "127.0.0.1");
            factory.setStartupMaxReconnectAttempts(-1);

            // then
            assertThat(failure(factory))
                    .isInstanceOf(JMSSecurityException.class)
                    .hasMessageContaining("its certificate is for localhost, not for 127.0.0.1");
            int port = broker.address().getPort();
            factory.setUrl("winnows://127.0.0.1:%d,localhost:%d".formatted(port, port));
            requireEcho(factory, "the second host has the name of the certificate");
        }
    }

    @Test
    void shouldNotTrustAnExpiredCertificate() throws Exception {
        X509Bundle expired =
                certificates.sign(
                        Certificates.localhost()
                                .notBefore(Instant.now().minus(Duration.ofDays(9)))
                                .notAfter(Instant.now().minus(Duration.ofDays(1))));
        try (Broker broker = broker(certificates.pem(expired))) {
            assertThat(failure(factory(broker, "localhost")))
                    .hasMessageContaining("has expired; its own ends at ");
        }
    }

    @Test
    void shouldTellBothSidesThatOneSpeaksTls() throws Exception {
        try (Broker tls = broker(certificates.pem(localhost()));
                Broker plain = broker(Map.of())) {
            int tlsPort = tls.address().getPort();
            assertThat(failure(new WinnowConnectionFactory("winnow://localhost:" + tlsPort)))
                    .hasMessageContaining("this port speaks TLS: use winnows://");
            assertThat(failure(factory(plain, "localhost")))
                    .hasMessageContaining("it does not speak TLS: use winnow://");
            requireEcho(factory(tls, "localhost"), "both go on");
            requireEcho(
                    new WinnowConnectionFactory("winnow://localhost:" + plain.address().getPort()),
                    "both go on");
        }
    }

    @Test
    void shouldAskForCertificatesOfClients() throws Exception {
        Map<String, String> settings = new HashMap<>(certificates.pem(localhost()));
        settings.put("tls.client-auth", "need");
        settings.put("tls.client-certificates", certificates.trusted().toString());
        try (Broker broker = broker(settings)) {
            // given
            WinnowConnectionFactory factory = factory(broker, "localhost");

            // then
            assertThat(failure(factory).getErrorCode()).isEqualTo("TLS_FAILED");
            X509Bundle own =
                    certificates.sign(
                            new io.netty.pkitesting.CertificateBuilder()
                                    .ecp256()
                                    .subject("CN=client"));
            factory.setKeyStore(certificates.pair(own).toString());
            requireEcho(factory, "known");
            factory.setKeyStore(certificates.store(own, "client.p12").toString());
            factory.setKeyStorePassword(Certificates.PASSWORD);
            requireEcho(factory, "known");
            factory.setKeyStore(certificates.encryptedPair(own).toString());
            requireEcho(factory, "known");
        }
    }

    @Test
    void shouldUseNewCertificatesWithoutDroppingConnections() throws Exception {
        Map<String, String> settings = new HashMap<>(certificates.pem(localhost()));
        settings.put("tls.reload-interval", "50ms");
        try (Broker broker = broker(settings)) {
            WinnowConnectionFactory before = factory(broker, "localhost");
            try (JMSContext context = before.createContext();
                    JMSContext sending = before.createContext()) {
                // given messages that flow
                var consumer = context.createConsumer(context.createTopic("flow"));
                var producer = sending.createProducer();
                var topic = sending.createTopic("flow");
                producer.send(topic, "first");
                assertThat(consumer.receiveBody(String.class, WAIT_MILLIS)).isEqualTo("first");

                // when another authority's certificate is put in place
                certificates = new Certificates(directory, "renewed");
                certificates.pem(localhost());
                int sent = 0;
                long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
                boolean renewed = false;
                while (!renewed && System.nanoTime() < deadline) {
                    producer.send(topic, "message " + sent);
                    assertThat(consumer.receiveBody(String.class, WAIT_MILLIS))
                            .isEqualTo("message " + sent);
                    sent++;
                    renewed = issuer(broker).contains("renewed");
                }

                // then
                assertThat(renewed).isTrue();
                producer.send(topic, "last");
                assertThat(consumer.receiveBody(String.class, WAIT_MILLIS)).isEqualTo("last");
                requireEcho(factory(broker, "localhost"), "trusts the renewed one");
            }
        }
    }

    /// Who signed the certificate that a new connection sees.
    private static String issuer(Broker broker) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                null,
                io.netty.handler.ssl.util.InsecureTrustManagerFactory.INSTANCE.getTrustManagers(),
                null);
        try (SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket("localhost", broker.address().getPort())) {
            socket.startHandshake();
            X509Certificate seen = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return seen.getIssuerX500Principal().getName();
        }
    }

    @Test
    void shouldKeepTheCertificateInForceIfTheNewOneCannotBeUsed() throws Exception {
        Map<String, String> settings = certificates.pem(localhost());
        try (Broker broker = broker(settings)) {
            // when the key of another certificate is put in place
            X509Bundle other = localhost();
            Files.writeString(
                    Path.of(String.valueOf(settings.get("tls.key"))), other.getPrivateKeyPEM());

            // then
            assertThatThrownBy(broker::reloadCertificates)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("tls.key: ")
                    .hasMessageContaining("expected the key of the first certificate");
            requireEcho(factory(broker, "localhost"), "still there");
        }
    }

    @Test
    void shouldServeHttpByTls() throws Exception {
        try (Broker broker = broker(certificates.pem(localhost()))) {
            int port = broker.httpAddress().getPort();
            try (SSLSocket socket = newSocket(port)) {
                assertThat(answer(socket)).startsWith("HTTP/1.1 200 OK").endsWith("live\n");
            }
            try (Socket socket = new Socket("localhost", port)) {
                assertThat(answer(socket))
                        .startsWith("HTTP/1.1 400 Bad Request")
                        .endsWith("this port speaks TLS: use https://\n");
            }
        }
    }

    private static String answer(Socket socket) throws IOException {
        socket.setSoTimeout(WAIT_MILLIS);
        socket.getOutputStream()
                .write(
                        "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    @Test
    void shouldServeOthersWhileHandshakesHang() throws Exception {
        Map<String, String> settings = new HashMap<>(certificates.pem(localhost()));
        settings.put("tls.max-handshakes", "2");
        settings.put("transport.handshake-timeout", "1s");
        try (Broker broker = broker(settings)) {
            Socket[] hanging = new Socket[6];
            try {
                // given the first bytes of a ClientHello, and no more
                for (int i = 0; i < hanging.length; i++) {
                    hanging[i] = new Socket("localhost", broker.address().getPort());
                    hanging[i].getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
                }

                // when, then
                WinnowConnectionFactory factory = factory(broker, "localhost");
                long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
                boolean served = false;
                while (!served && System.nanoTime() < deadline) {
                    try {
                        requireEcho(factory, "hello");
                        served = true;
                    } catch (JMSException e) {
                        assertThat(e).hasMessageContaining("localhost");
                    }
                }
                assertThat(served).isTrue();
            } finally {
                for (Socket socket : hanging) {
                    socket.close();
                }
            }
        }
    }
}
