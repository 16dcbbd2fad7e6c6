package winnow.broker.identity;

/// Refusal of a token or certificate that does not prove a user; the text says why, as the client
/// is told.
public class RefusedIdentity extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedIdentity(String message) {
        super(message);
    }
}
