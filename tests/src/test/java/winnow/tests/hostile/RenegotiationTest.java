package winnow.tests.hostile;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.wire.tls.TrustedCertificates;

class RenegotiationTest {
    private static final int WAIT_MILLIS = 20_000;

    @TempDir private Path directory = Path.of("");

    /// Each handshake costs the broker a signature, whoever the client is.
    @Test
    void shouldRefuseAnotherHandshakeOnTheSameConnection() throws Exception {
        // given
        X509Bundle bundle =
                new CertificateBuilder()
                        .subject("CN=localhost")
                        .setIsCertificateAuthority(true)
                        .buildSelfSigned();
        Path certificate = directory.resolve("tls.crt");
        Path key = directory.resolve("tls.key");
        Files.writeString(certificate, bundle.getCertificatePathPEM());
        Files.writeString(key, bundle.getPrivateKeyPEM());
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {TrustedCertificates.of(certificate, "")}, null);
        try (SmallBroker broker =
                        new SmallBroker(
                                directory.resolve("log"),
                                Map.of(
                                        "tls.certificate", certificate.toString(),
                                        "tls.key", key.toString()));
                SSLSocket socket = connect(context, broker.address())) {
            socket.startHandshake();

            // when it sends another ClientHello
            socket.startHandshake();

            // then
            assertThatThrownBy(socket.getInputStream()::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("handshake_failure");
        }
    }

    private static SSLSocket connect(SSLContext context, InetSocketAddress address)
            throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
        socket.setSoTimeout(WAIT_MILLIS);
        socket.setEnabledProtocols(new String[] {"TLSv1.2"});
        socket.connect(address, WAIT_MILLIS);
        return socket;
    }
}
