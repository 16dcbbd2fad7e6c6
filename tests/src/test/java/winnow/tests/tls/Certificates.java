package winnow.tests.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.AlgorithmParameters;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

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

    /// The same with a key that is encrypted by [#PASSWORD].
    Map<String, String> encryptedPem(X509Bundle bundle) throws Exception {
        Map<String, String> settings = new HashMap<>(pem(bundle));
        replace(directory.resolve("tls.key"), encryptedKey(bundle.getKeyPair().getPrivate()));
        Path password = secret("password", PASSWORD + "\n");
        settings.put("tls.password-file", password.toString());
        return settings;
    }

    /// Certificate and encrypted key in one PEM file.
    Path encryptedPair(X509Bundle bundle) throws Exception {
        return secret(
                "encrypted.pem",
                bundle.getCertificatePathPEM()
                        + "\n"
                        + encryptedKey(bundle.getKeyPair().getPrivate()));
    }

    /// As `openssl pkcs8 -topk8` does it: PBES2 with PBKDF2 and AES.
    private static String encryptedKey(PrivateKey key) throws Exception {
        String algorithm = "PBEWithHmacSHA256AndAES_256";
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(algorithm)
                        .generateSecret(new PBEKeySpec(PASSWORD.toCharArray())));
        byte[] encrypted = cipher.doFinal(key.getEncoded());
        // The JDK knows the form by this name only when it writes.
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
        parameters.init(cipher.getParameters().getEncoded());
        return "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
                + Base64.getMimeEncoder()
                        .encodeToString(
                                new EncryptedPrivateKeyInfo(parameters, encrypted).getEncoded())
                + "\n-----END ENCRYPTED PRIVATE KEY-----\n";
    }

    /// Certificate and key in one PEM file.
    Path pair(X509Bundle bundle) throws IOException {
        return secret(
                "pair.pem", bundle.getCertificatePathPEM() + "\n" + bundle.getPrivateKeyPEM());
    }

    /// A file that others cannot read.
    private Path secret(String name, String text) throws IOException {
        return ownerOnly(Files.writeString(directory.resolve(name), text));
    }

    private static Path ownerOnly(Path file) throws IOException {
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static void replace(Path file, String text) throws IOException {
        Path made = file.resolveSibling(file.getFileName() + ".new");
        ownerOnly(Files.writeString(made, text));
        Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Settings of a broker with a PKCS#12 file.
    Map<String, String> pkcs12(X509Bundle bundle) throws Exception {
        Path store = store(bundle, "broker.p12");
        Path password = secret("password", PASSWORD + "\n");
        return Map.of(
                "tls.certificate", store.toString(), "tls.password-file", password.toString());
    }

    Path store(X509Bundle bundle, String name) throws Exception {
        Path store = directory.resolve(name);
        try (OutputStream out = Files.newOutputStream(store)) {
            bundle.toKeyStore(PASSWORD.toCharArray()).store(out, PASSWORD.toCharArray());
        }
        return ownerOnly(store);
    }
}
