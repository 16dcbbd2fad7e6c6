package winnow.tests.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.Broker;
import winnow.broker.BrokerConfig;
import winnow.client.WinnowConnectionFactory;

/// Connections by an SSL context of the application.
class GivenTlsTest {
    @TempDir private Path directory = Path.of("");

    private static SSLContext trusting(Path certificate) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream file = Files.newInputStream(certificate)) {
            trusted.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static WinnowConnectionFactory factory(Broker broker, String host) throws IOException {
        return new WinnowConnectionFactory("winnows://" + host + ":" + broker.address().getPort());
    }

    private static void requireConnection(WinnowConnectionFactory factory) throws JMSException {
        try (Connection connection = factory.createConnection()) {
            connection.start();
        }
    }

    private Broker broker(Certificates certificates) throws Exception {
        return new Broker(
                BrokerConfig.of(certificates.pem(certificates.sign(Certificates.localhost()))),
                InetAddress.getLoopbackAddress(),
                0,
                0);
    }

    @Test
    void shouldTrustWhatTheContextTrusts() throws Exception {
        Certificates certificates = new Certificates(directory, "authority");
        Certificates others = new Certificates(directory, "others");
        try (Broker broker = broker(certificates)) {
            WinnowConnectionFactory factory = factory(broker, "localhost");
            assertThatThrownBy(factory::createConnection).isInstanceOf(JMSException.class);

            // when the application trusts the authority, then it connects
            factory.setSslContext(trusting(certificates.trusted()), new SSLParameters());
            requireConnection(factory);

            // and when it trusts another one, it does so no more
            factory.setSslContext(trusting(others.trusted()), new SSLParameters());
            assertThatThrownBy(factory::createConnection).isInstanceOf(JMSException.class);
        }
    }

    @Test
    void shouldSpeakTheProtocolsThatAreChosen() throws Exception {
        Certificates certificates = new Certificates(directory, "authority");
        try (Broker broker = broker(certificates)) {
            WinnowConnectionFactory factory = factory(broker, "localhost");
            SSLParameters choices = new SSLParameters();
            choices.setProtocols(new String[] {"TLSv1.2"});
            choices.setCipherSuites(new String[] {"TLS_AES_128_GCM_SHA256"});

            // when only cipher suites of another version are left, then there is no connection
            factory.setSslContext(trusting(certificates.trusted()), choices);
            assertThatThrownBy(factory::createConnection).isInstanceOf(JMSException.class);

            choices.setProtocols(new String[] {"TLSv1.3"});
            factory.setSslContext(trusting(certificates.trusted()), choices);
            requireConnection(factory);
        }
    }

    @Test
    void shouldNotLeaveTlsOutWhereAContextIsGiven() throws Exception {
        // given
        WinnowConnectionFactory factory = new WinnowConnectionFactory("winnow://localhost:1");
        assertThat(factory.getSslContext()).isNull();
        factory.setSslContext(SSLContext.getDefault(), new SSLParameters());
        assertThat(factory.getSslContext()).isSameAs(SSLContext.getDefault());

        // when, then
        assertThatThrownBy(factory::createConnection)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("winnows://")
                .hasMessageContaining("winnow://localhost:1");
        assertThat(factory.getUrl()).isEqualTo("winnow://localhost:1");
    }
}
