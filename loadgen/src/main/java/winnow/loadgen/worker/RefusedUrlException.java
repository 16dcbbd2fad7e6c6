package winnow.loadgen.worker;

import jakarta.jms.JMSException;

/// The provider does not take the URL; the message is the provider's own. The URL is not quoted,
/// because it may have a password.
public final class RefusedUrlException extends JMSException {
    private static final long serialVersionUID = 1L;

    RefusedUrlException(Throwable cause) {
        super("--url: " + Failures.describe(cause));
        initCause(cause);
    }
}
