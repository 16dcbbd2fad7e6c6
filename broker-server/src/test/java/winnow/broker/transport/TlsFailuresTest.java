package winnow.broker.transport;

import static org.assertj.core.api.Assertions.assertThat;

import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TlsFailuresTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    (x) Received fatal alert: certificate_unknown | does not accept
                    Received fatal alert: unknown_ca | does not accept the broker's certificate
                    (x) Received fatal alert: handshake_failure | ended it (alert handshake_failure)
                    Empty client certificate chain | tls.client-auth=need
                    no cipher suites in common | no cipher suites in common
                    """,
            quoteCharacter = '"')
    void shouldSayWhatAFailedHandshakeMeans(String failure, String meaning) {
        assertThat(TlsFailures.reason(new SSLHandshakeException(failure))).contains(meaning);
    }
}
