package winnow.broker.identity;

/// Refusal of a token, a certificate or a password that does not prove a user; the text says why,
/// as the client is told.
public class RefusedIdentity extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    public RefusedIdentity(String message) {
        this(message, message);
    }

    /// @param reason for the log, which may say more than the client may know
    public RefusedIdentity(String message, String reason) {
        super(message);
        this.reason = reason;
    }

    /// Reason for operators.
    public String reason() {
        return reason;
    }
}
