package winnow.broker.transport.tls;

import java.nio.file.Path;
import java.time.Duration;
import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;

/// TLS 1.2 and 1.3 of both ports. The files are looked at every `reload-interval`; new connections
/// use what is new, open ones stay.
public record TlsConfig(
        @Setting(
                        value =
                                "the broker's certificate, followed by those of its issuers: a PEM"
                                        + " file, or a PKCS#12 file with the key as well; empty"
                                        + " means no TLS",
                        unit = "file")
                Path certificate,
        @Setting(
                        value =
                                "the key in PKCS#8, a PEM file; empty means that it is in the file"
                                        + " of the certificate",
                        unit = "file")
                Path key,
        @Setting(
                        value =
                                "file whose first line is the password of an encrypted key or of"
                                        + " the PKCS#12 file",
                        unit = "file")
                Path passwordFile,
        @Setting(
                        "whether clients show certificates of their own: `none`, `want` (checked"
                                + " if they do) or `need`")
                ClientAuthentication clientAuth,
        @Setting(
                        value =
                                "the certificates that clients' own must be signed by, PEM or"
                                        + " PKCS#12 (with the same password); must be set unless"
                                        + " `tls.client-auth` is `none`",
                        unit = "file")
                Path clientCertificates,
        @Setting("whether the port of clients uses TLS if there is a certificate") boolean jms,
        @Setting("whether the HTTP port uses TLS if there is a certificate") boolean http,
        @Setting(
                        value =
                                "TLS handshakes under way at a time; further clients wait for"
                                        + " their turn",
                        unit = "handshakes",
                        min = "1",
                        max = "100000")
                int maxHandshakes,
        @Setting(
                        value = "how often the files are looked at; 0s is never",
                        min = "0s",
                        max = "1440m")
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

    /// Choice whether clients show certificates.
    public enum ClientAuthentication {
        NONE,
        WANT,
        NEED
    }

    public TlsConfig {
        Ranges.check(
                TlsConfig.class,
                certificate,
                key,
                passwordFile,
                clientAuth,
                clientCertificates,
                jms,
                http,
                maxHandshakes,
                reloadInterval);
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

    /// True if there is a certificate.
    public boolean enabled() {
        return !certificate.equals(NONE);
    }

    Path keyFile() {
        return key.equals(NONE) ? certificate : key;
    }
}
