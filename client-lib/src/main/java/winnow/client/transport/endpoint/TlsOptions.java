package winnow.client.transport.endpoint;

import org.jspecify.annotations.Nullable;

/// TLS options of a connection. Immutable.
///
/// @param trustStore file of certificates that are trusted, PEM or PKCS#12; empty for the JDK's
/// @param trustStorePassword of a PKCS#12 file
/// @param verifyHost whether the broker's certificate must be for the host of the URL
/// @param trustAll whether any certificate will do
/// @param keyStore file of the client's own certificate and key, PEM or PKCS#12; empty for none
/// @param keyStorePassword of a PKCS#12 file or an encrypted key
/// @param given what is used instead of the files; null to use these
public record TlsOptions(
        String trustStore,
        String trustStorePassword,
        boolean verifyHost,
        boolean trustAll,
        String keyStore,
        String keyStorePassword,
        @Nullable GivenTls given) {
    /// Without the passwords.
    @Override
    public String toString() {
        return "TlsOptions[trustStore=%s, verifyHost=%s, trustAll=%s, keyStore=%s]"
                .formatted(trustStore, verifyHost, trustAll, keyStore);
    }
}
