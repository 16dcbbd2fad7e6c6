package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.ClosedChannelException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import winnow.broker.metrics.TlsFailure;

class TlsFailuresTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    (x) Received fatal alert: certificate_unknown | CERTIFICATE_REFUSED | not accept
                    Received fatal alert: unknown_ca | CERTIFICATE_REFUSED | not accept the broker's
                    Received fatal alert: handshake_failure | CLIENT_ALERT | (alert handshake_fail
                    Empty client certificate chain | CLIENT_CERTIFICATE | tls.client-auth=need
                    no cipher suites in common | OTHER | no cipher suites in common
                    x | OTHER | x
                    """,
            quoteCharacter = '"')
    void shouldSayWhatAFailedHandshakeMeans(String text, TlsFailure kind, String meaning) {
        SSLHandshakeException cause = new SSLHandshakeException(text);
        assertThat(TlsFailures.kind(cause)).isEqualTo(kind);
        assertThat(TlsFailures.reason(kind, cause)).contains(meaning);
    }

    @Test
    void shouldTellACertificateThatIsNotAcceptedFromNone() {
        SSLHandshakeException cause = new SSLHandshakeException("PKIX path building failed");
        cause.initCause(new CertificateException());
        assertThat(TlsFailures.kind(cause)).isEqualTo(TlsFailure.CLIENT_CERTIFICATE);
        assertThat(TlsFailures.reason(TlsFailure.CLIENT_CERTIFICATE, cause))
                .isEqualTo("the client's certificate is not accepted: PKIX path building failed");
    }

    @Test
    void shouldNotBlameTlsIfTheClientLeft() {
        assertThat(TlsFailures.kind(new ClosedChannelException()))
                .isEqualTo(TlsFailure.CLIENT_LEFT);
    }
}
