package winnow.wire.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Certificates that a side trusts, from a file or from the JDK.
public final class TrustedCertificates {
    private TrustedCertificates() {}

    /// Trusts what the certificates of a file have signed, and themselves.
    ///
    /// @param file PEM or PKCS#12
    /// @param password of a PKCS#12 file, else empty
    /// @throws IOException naming the file, what was expected and what was found
    public static X509ExtendedTrustManager of(Path file, String password) throws IOException {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate one : read(file, password)) {
                trusted.setCertificateEntry("trusted-" + trusted.size(), one);
            }
            return of(trusted);
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /// Trusts what the JDK trusts.
    ///
    /// @throws IOException if the JDK's own file cannot be read
    public static X509ExtendedTrustManager ofJdk() throws IOException {
        try {
            return of((KeyStore) null);
        } catch (GeneralSecurityException e) {
            throw new IOException("the JDK's trusted certificates: " + e.getMessage(), e);
        }
    }

    private static List<? extends Certificate> read(Path file, String password)
            throws IOException, GeneralSecurityException {
        if (!Pkcs12File.is(file)) {
            return PemFile.read(file).certificates();
        }
        KeyStore store = Pkcs12File.read(file, password);
        List<X509Certificate> found = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.getCertificate(alias) instanceof X509Certificate certificate) {
                found.add(certificate);
            }
        }
        if (found.isEmpty()) {
            throw new IOException(file + ": expected a certificate, found none");
        }
        return found;
    }

    private static X509ExtendedTrustManager of(@Nullable KeyStore trusted)
            throws GeneralSecurityException {
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        for (TrustManager one : factory.getTrustManagers()) {
            if (one instanceof X509ExtendedTrustManager manager) {
                return manager;
            }
        }
        throw new GeneralSecurityException("expected an X.509 trust manager, found none");
    }
}
