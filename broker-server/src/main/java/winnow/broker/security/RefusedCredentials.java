package winnow.broker.security;

/// Credentials were refused; the text says why, as the client is told.
public final class RefusedCredentials extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedCredentials(String message) {
        super(message);
    }
}
