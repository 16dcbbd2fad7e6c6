package winnow.wire.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/// The certificates and the key of a PEM file (RFC 7468). Immutable.
final class PemFile {
    /// Longer files are refused; no chain of certificates is as long.
    static final int MAX_BYTES = 4 * 1024 * 1024;

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \\1-----");

    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

    /// The identifier of PBES2. The JDK knows the actual algorithm from the parameters alone.
    private static final String PBES2 = "1.2.840.113549.1.5.13";

    private final Path file;
    private final String text;

    private PemFile(Path file, String text) {
        this.file = file;
        this.text = text;
    }

    static PemFile read(Path file) throws IOException {
        return new PemFile(file, new String(bytes(file), StandardCharsets.ISO_8859_1));
    }

    /// All bytes of a file that is not too long.
    static byte[] bytes(Path file) throws IOException {
        long size = Files.size(file);
        if (size > MAX_BYTES) {
            throw new IOException(
                    "%s: expected at most %d bytes, found %d".formatted(file, MAX_BYTES, size));
        }
        return Files.readAllBytes(file);
    }

    /// The certificates in the order of the file.
    ///
    /// @throws IOException if there is none or one cannot be read
    List<X509Certificate> certificates() throws IOException {
        List<X509Certificate> found = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            if (block.group(1).equals("CERTIFICATE")) {
                found.add(certificate(der(block)));
            }
        }
        if (found.isEmpty()) {
            throw new IOException(
                    file + ": expected a certificate (-----BEGIN CERTIFICATE-----), found none");
        }
        return found;
    }

    private X509Certificate certificate(byte[] der) throws IOException {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException e) {
            throw new IOException(file + ": expected a certificate: " + e.getMessage(), e);
        }
    }

    /// The private key.
    ///
    /// @param password of an encrypted key, else empty
    /// @throws IOException if there is none, or it is of another form or password
    PrivateKey key(String password) throws IOException {
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            switch (block.group(1)) {
                case "PRIVATE KEY" -> {
                    return key(new PKCS8EncodedKeySpec(der(block)));
                }
                case "ENCRYPTED PRIVATE KEY" -> {
                    return key(decrypted(der(block), password));
                }
                case "RSA PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY" ->
                        throw new IOException(
                                "%1$s: expected a key in PKCS#8 (-----BEGIN PRIVATE KEY-----),"
                                                .formatted(file)
                                        + " found -----BEGIN %s-----; convert it by 'openssl pkcs8"
                                                .formatted(block.group(1))
                                        + " -topk8 -nocrypt -in %s -out key8.pem'".formatted(file));
                default -> {}
            }
        }
        throw new IOException(
                file + ": expected a private key (-----BEGIN PRIVATE KEY-----), found none");
    }

    private byte[] der(Matcher block) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(block.group(2));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": expected base 64: " + e.getMessage(), e);
        }
    }

    private PrivateKey key(PKCS8EncodedKeySpec spec) throws IOException {
        GeneralSecurityException last = null;
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (GeneralSecurityException e) {
                // Most often a key of another algorithm.
                last = e;
            }
        }
        throw new IOException(
                file + ": expected a key of " + KEY_ALGORITHMS + ", found another", last);
    }

    private PKCS8EncodedKeySpec decrypted(byte[] der, String password) throws IOException {
        if (password.isEmpty()) {
            throw new IOException(file + ": expected a password for the encrypted key, found none");
        }
        EncryptedPrivateKeyInfo info = encrypted(der);
        try {
            String name = info.getAlgName();
            String algorithm =
                    name.equals(PBES2) || name.equals("PBES2")
                            ? info.getAlgParameters().toString()
                            : name;
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(algorithm)
                            .generateSecret(new PBEKeySpec(password.toCharArray())),
                    info.getAlgParameters());
            return info.getKeySpec(cipher);
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    file + ": the key cannot be decrypted; is the password right? " + e, e);
        }
    }

    /// The JDK knows no scrypt.
    private EncryptedPrivateKeyInfo encrypted(byte[] der) throws IOException {
        try {
            return new EncryptedPrivateKeyInfo(der);
        } catch (IOException e) {
            throw new IOException(
                    "%1$s: expected a key encrypted by PBKDF2, found another form (%2$s);"
                                    .formatted(file, e.getMessage())
                            + " convert it by 'openssl pkcs8 -topk8 -v2 aes-256-cbc -in %s"
                                    .formatted(file)
                            + " -out key8.pem'",
                    e);
        }
    }
}
