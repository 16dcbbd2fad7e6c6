package winnow.tests.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.X509Bundle;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.client.WinnowConnectionFactory;

/// What the metrics of a broker tell of TLS; they are asked for in clear text.
class TlsMetricsTest {
    private static final String EXPIRATION = "winnow_tls_certificate_expiration_timestamp_seconds";
    private static final long TIMEOUT_SECONDS = 20;

    @TempDir private Path directory = Path.of("");

    private static Broker broker(Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.put("tls.http", "false");
        return new Broker(BrokerConfig.of(all), InetAddress.getLoopbackAddress(), 0, 0);
    }

    private static OptionalDouble metric(Broker broker, String name) throws Exception {
        URI page = URI.create("http://127.0.0.1:" + broker.httpAddress().getPort() + "/metrics");
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                            HttpRequest.newBuilder(page).build(),
                            HttpResponse.BodyHandlers.ofLines())
                    .body()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                    .findFirst();
        }
    }

    private static void awaitFailure(Broker broker, String reason) throws Exception {
        String name = "winnow_tls_failures_total{reason=\"" + reason + "\"}";
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        OptionalDouble found = metric(broker, name);
        while (found.orElseThrow() < 1 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            found = metric(broker, name);
        }
        assertThat(found).as(name).hasValue(1);
    }

    private static WinnowConnectionFactory factory(Broker broker, String scheme) {
        return new WinnowConnectionFactory(scheme + "://localhost:" + broker.address().getPort());
    }

    private static void requireFailure(WinnowConnectionFactory factory) {
        assertThatThrownBy(factory::createConnection).isInstanceOf(JMSException.class);
    }

    @Test
    void shouldTellWhenTheCertificateExpires() throws Exception {
        Certificates certificates = new Certificates(directory, "authority");
        X509Bundle first = certificates.sign(Certificates.localhost());
        try (Broker broker = broker(certificates.pem(first))) {
            assertThat(metric(broker, EXPIRATION)).hasValue(expiration(first));

            // when another is put in place
            X509Bundle second =
                    certificates.sign(
                            Certificates.localhost()
                                    .notAfter(
                                            first.getCertificate()
                                                    .getNotAfter()
                                                    .toInstant()
                                                    .minusSeconds(3600)));
            certificates.pem(second);
            broker.reloadCertificates();

            // then
            assertThat(metric(broker, EXPIRATION))
                    .hasValue(expiration(second))
                    .hasValue(expiration(first) - 3600);
        }
        try (Broker plain = broker(Map.of())) {
            assertThat(metric(plain, EXPIRATION)).isEmpty();
        }
    }

    private static double expiration(X509Bundle bundle) {
        return bundle.getCertificate().getNotAfter().toInstant().getEpochSecond();
    }

    @Test
    void shouldCountWhyClientsCouldNotConnect() throws Exception {
        Certificates certificates = new Certificates(directory, "authority");
        Map<String, String> settings =
                new HashMap<>(certificates.pem(certificates.sign(Certificates.localhost())));
        settings.put("tls.client-auth", "need");
        settings.put("tls.client-certificates", certificates.trusted().toString());
        try (Broker broker = broker(settings)) {
            // when
            requireFailure(factory(broker, "winnows"));
            WinnowConnectionFactory trusting = factory(broker, "winnows");
            trusting.setTrustStore(certificates.trusted().toString());
            requireFailure(trusting);
            requireFailure(factory(broker, "winnow"));
            leaveDuringTheHandshake(broker.address());

            // then
            awaitFailure(broker, "certificate-refused");
            awaitFailure(broker, "client-certificate");
            awaitFailure(broker, "clear-text");
            awaitFailure(broker, "client-left");
        }
    }

    /// Sends the first message of a handshake and leaves at the begin of the answer.
    private static void leaveDuringTheHandshake(InetSocketAddress address) throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.getOutputStream().write(hello.array(), 0, hello.position());
            assertThat(socket.getInputStream().read()).isNotNegative();
        }
    }

    @Test
    void shouldCountClientsThatExpectTlsWhereThereIsNone() throws Exception {
        try (Broker broker = broker(Map.of())) {
            requireFailure(factory(broker, "winnows"));
            awaitFailure(broker, "unexpected-tls");
        }
    }
}
