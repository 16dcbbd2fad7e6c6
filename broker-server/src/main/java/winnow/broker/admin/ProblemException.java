package winnow.broker.admin;

/// A request that cannot be answered, for whoever asks.
final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    /// @param status HTTP status code
    /// @param message what was expected, what was found
    ProblemException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
