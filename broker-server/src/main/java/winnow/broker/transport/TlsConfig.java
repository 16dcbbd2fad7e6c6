package winnow.broker.transport;

import java.nio.file.Path;
import java.time.Duration;

/// TLS 1.2 and 1.3 of both ports. The files are looked at every `reload-interval`; new connections
/// use what is new, open ones stay.
///
/// @param certificate the broker's certificate, followed by those of its issuers: a PEM file, or a
///   PKCS#12 file with the key as well; empty means no TLS
/// @param key the key in PKCS#8, a PEM file; empty means that it is in the file of the certificate
/// @param passwordFile its first line is the password of an encrypted key or of the PKCS#12 file
/// @param clientAuth whether clients show certificates of their own: `none`, `want` (checked if they
///   do) or `need`
/// @param clientCertificates the certificates that clients' own must be signed by, PEM or PKCS#12
///   (its password is the same as above); must be set unless `client-auth` is `none`
/// @param jms whether the port of clients uses TLS if there is a certificate
/// @param http whether the HTTP port uses TLS if there is a certificate
/// @param maxHandshakes handshakes under way at a time; further clients wait for their turn
/// @param reloadInterval how often the files are looked at, 0 for never
public record TlsConfig(
        Path certificate,
        Path key,
        Path passwordFile,
        ClientAuthentication clientAuth,
        Path clientCertificates,
        boolean jms,
        boolean http,
        int maxHandshakes,
        Duration reloadInterval) {
    private static final Path NONE = Path.of("");

    public static final TlsConfig DEFAULTS =
            new TlsConfig(
                    NONE,
                    NONE,
                    NONE,
                    ClientAuthentication.NONE,
                    NONE,
                    true,
                    true,
                    200,
                    Duration.ofSeconds(10));

    /// Whether clients show certificates.
    public enum ClientAuthentication {
        NONE,
        WANT,
        NEED
    }

    public TlsConfig {
        if (maxHandshakes < 1 || maxHandshakes > 100_000) {
            throw new IllegalArgumentException(
                    "max-handshakes: expected 1 to 100000, found " + maxHandshakes);
        }
        if (reloadInterval.isNegative() || reloadInterval.toHours() > 24) {
            throw new IllegalArgumentException(
                    "reload-interval: expected 0 to 24 hours, found " + reloadInterval);
        }
        if (clientAuth != ClientAuthentication.NONE && clientCertificates.equals(NONE)) {
            throw new IllegalArgumentException(
                    "client-certificates: expected a file, because client-auth is "
                            + clientAuth.name().toLowerCase(java.util.Locale.ROOT)
                            + ", found none");
        }
        if (certificate.equals(NONE) && !key.equals(NONE)) {
            throw new IllegalArgumentException(
                    "certificate: expected the file of the certificate for the key, found none");
        }
    }

    /// Whether there is a certificate.
    public boolean enabled() {
        return !certificate.equals(NONE);
    }

    Path keyFile() {
        return key.equals(NONE) ? certificate : key;
    }
}
