package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/// Self-signed certificates for localhost, made by the JDK's keytool, and a look at the one that a
/// port shows.
public final class TestCertificates {
    public static final String PASSWORD = "file secret";

    private TestCertificates() {}

    /// Puts a PKCS#12 file with a new certificate and its key in place.
    ///
    /// @param names of the host, such as `dns:localhost`
    public static Path pkcs12(Path file, String subject, String names) throws IOException {
        Path made = file.resolveSibling("made.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                                "-genkeypair",
                                "-alias",
                                "broker",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=" + subject,
                                "-ext",
                                "san=" + names,
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                made.toString(),
                                "-storepass",
                                PASSWORD)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            assertThat(keytool.waitFor()).as(said).isZero();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return Files.move(ownerOnly(made), file, StandardCopyOption.REPLACE_EXISTING);
    }

    /// The file, which others cannot read any more.
    public static Path ownerOnly(Path file) throws IOException {
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /// The certificate of such a file as PEM.
    public static Path pem(Path pkcs12) throws IOException {
        try (InputStream in = Files.newInputStream(pkcs12)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            String text =
                    "-----BEGIN CERTIFICATE-----\n"
                            + Base64.getMimeEncoder()
                                    .encodeToString(store.getCertificate("broker").getEncoded())
                            + "\n-----END CERTIFICATE-----\n";
            return Files.writeString(pkcs12.resolveSibling(pkcs12.getFileName() + ".pem"), text);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /// Subject of the certificate that a new connection to the port sees.
    static String subject(InetSocketAddress port) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Anybody()}, null);
            try (SSLSocket socket =
                    (SSLSocket)
                            context.getSocketFactory()
                                    .createSocket(port.getAddress(), port.getPort())) {
                socket.startHandshake();
                X509Certificate seen =
                        (X509Certificate) socket.getSession().getPeerCertificates()[0];
                return seen.getSubjectX500Principal().getName();
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static final class Anybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
