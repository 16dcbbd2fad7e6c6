package winnow.tests.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// An authority of a test, and the files of brokers and clients whose certificates it signs.
final class Certificates {
    static final String PASSWORD = "file secret";

    private final Path directory;
    private final X509Bundle authority;

    Certificates(Path directory, String name) throws Exception {
        this.directory = directory;
        authority =
                new CertificateBuilder()
                        .ecp256()
                        .subject("CN=" + name)
                        .setIsCertificateAuthority(true)
                        .buildSelfSigned();
    }

    /// The authority's own certificate, PEM.
    Path trusted() throws IOException {
        Path file = directory.resolve(authority.getCertificate().getSerialNumber() + ".pem");
        return Files.writeString(file, authority.getRootCertificatePEM());
    }

    static CertificateBuilder localhost() throws IOException {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=broker")
                .addSanDnsName("localhost")
                .addSanIpAddress("127.0.0.1")
                .notBefore(Instant.now().minus(Duration.ofHours(1)))
                .notAfter(Instant.now().plus(Duration.ofDays(30)));
    }

    X509Bundle sign(CertificateBuilder builder) throws Exception {
        return builder.buildIssuedBy(authority);
    }

    /// Settings of a broker with a certificate and a key in two PEM files.
    Map<String, String> pem(X509Bundle bundle) throws IOException {
        Path certificate = directory.resolve("tls.crt");
        Path key = directory.resolve("tls.key");
        replace(key, bundle.getPrivateKeyPEM());
        replace(certificate, bundle.getCertificatePathPEM());
        return Map.of("tls.certificate", certificate.toString(), "tls.key", key.toString());
    }

    /// Certificate and key in one PEM file.
    Path pair(X509Bundle bundle) throws IOException {
        Path file = directory.resolve("pair.pem");
        return Files.writeString(
                file, bundle.getCertificatePathPEM() + "\n" + bundle.getPrivateKeyPEM());
    }

    private static void replace(Path file, String text) throws IOException {
        Path made = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(made, text);
        Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Settings of a broker with a PKCS#12 file.
    Map<String, String> pkcs12(X509Bundle bundle) throws Exception {
        Path store = store(bundle, "broker.p12");
        Path password = Files.writeString(directory.resolve("password"), PASSWORD + "\n");
        return Map.of(
                "tls.certificate", store.toString(), "tls.password-file", password.toString());
    }

    Path store(X509Bundle bundle, String name) throws Exception {
        Path store = directory.resolve(name);
        try (OutputStream out = Files.newOutputStream(store)) {
            bundle.toKeyStore(PASSWORD.toCharArray()).store(out, PASSWORD.toCharArray());
        }
        return store;
    }
}
