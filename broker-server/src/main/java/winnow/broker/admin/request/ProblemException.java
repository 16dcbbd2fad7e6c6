package winnow.broker.admin.request;

import winnow.broker.identity.ProvenUser;
import winnow.wire.Printable;

/// A request that cannot be answered, for whoever asks.
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;

    /// @param status HTTP status code
    /// @param message what was expected, what was found
    public ProblemException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /// Refuses a request that has waited while the user was removed, or got another password.
    public static ProblemException outdated(ProvenUser user) {
        return new ProblemException(
                401,
                "expected a user of this broker, found that '%s' was removed or has another"
                                .formatted(Printable.of(user.name()))
                        + " password");
    }

    public int status() {
        return status;
    }
}
