package winnow.broker.session;

/// Credentials were refused; the text says why, as the client is told.
final class RefusedCredentials extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedCredentials(String message) {
        super(message);
    }
}
