package winnow.client.transport;

import java.security.cert.CertificateException;

/// A broker's certificate is not trusted; the text says why and what to do.
final class UntrustedException extends CertificateException {
    private static final long serialVersionUID = 1L;

    UntrustedException(String message, CertificateException cause) {
        super(message, cause);
    }
}
