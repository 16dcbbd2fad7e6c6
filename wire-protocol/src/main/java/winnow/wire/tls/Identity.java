package winnow.wire.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A side's own private key and the certificates that prove it, the side's own first. Immutable.
public final class Identity {
    private static final byte[] PROBE = {'w', 'i', 'n', 'n', 'o', 'w'};

    private final PrivateKey key;
    private final List<X509Certificate> chain;

    private Identity(PrivateKey key, List<X509Certificate> chain) {
        this.key = key;
        this.chain = List.copyOf(chain);
    }

    /// Reads it from files.
    ///
    /// @param certificate PEM file of the certificates, or PKCS#12 file of all
    /// @param keyFile PEM file of the key; may be the same file
    /// @param password of a PKCS#12 file or of an encrypted key, else empty
    /// @throws IOException naming the file, what was expected and what was found
    public static Identity read(Path certificate, Path keyFile, String password)
            throws IOException {
        Identity identity =
                Pkcs12File.is(certificate)
                        ? ofStore(certificate, password)
                        : new Identity(
                                PemFile.read(keyFile).key(password),
                                PemFile.read(certificate).certificates());
        identity.requirePair(certificate, keyFile);
        return identity;
    }

    private static Identity ofStore(Path file, String password) throws IOException {
        KeyStore store = Pkcs12File.read(file, password);
        try {
            for (String alias : Collections.list(store.aliases())) {
                Certificate[] certificates = store.getCertificateChain(alias);
                if (certificates != null
                        && certificates.length > 0
                        && store.getKey(alias, password.toCharArray()) instanceof PrivateKey key) {
                    List<X509Certificate> chain = new ArrayList<>();
                    for (Certificate one : certificates) {
                        chain.add((X509Certificate) one);
                    }
                    return new Identity(key, chain);
                }
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        throw new IOException(file + ": expected a private key with its certificate, found none");
    }

    /// Fails while one of the two files has been renewed and the other has not.
    private void requirePair(Path certificate, Path keyFile) throws IOException {
        boolean pair;
        try {
            pair = signs(chain.get(0).getPublicKey());
        } catch (SignatureException e) {
            pair = false;
        } catch (GeneralSecurityException e) {
            throw new IOException(keyFile + ": " + e.getMessage(), e);
        }
        if (!pair) {
            throw new IOException(
                    "%s: expected the key of the first certificate in %s, found another"
                            .formatted(keyFile, certificate));
        }
    }

    private boolean signs(PublicKey publicKey) throws GeneralSecurityException {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> key.getAlgorithm();
                };
        if (!publicKey.getAlgorithm().equals(key.getAlgorithm())) {
            return false;
        }
        if (algorithm.equals("RSASSA-PSS")) {
            return true;
        }
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(PROBE);
        byte[] signed = signature.sign();
        signature.initVerify(publicKey);
        signature.update(PROBE);
        return signature.verify(signed);
    }

    public PrivateKey key() {
        return key;
    }

    public X509Certificate[] chain() {
        return chain.toArray(new X509Certificate[0]);
    }

    /// Without the key.
    @Override
    public String toString() {
        return "Identity[" + chain.get(0).getSubjectX500Principal() + "]";
    }
}
