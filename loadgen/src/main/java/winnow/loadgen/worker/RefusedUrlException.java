package winnow.loadgen.worker;

import jakarta.jms.JMSException;

/// The provider does not take the URL; the message is the provider's own.
public final class RefusedUrlException extends JMSException {
    private static final long serialVersionUID = 1L;

    RefusedUrlException(String url, Throwable cause) {
        super("--url '" + url + "': " + Failures.describe(cause));
        initCause(cause);
    }
}
