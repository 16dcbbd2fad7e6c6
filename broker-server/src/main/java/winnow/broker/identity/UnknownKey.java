package winnow.broker.identity;

/// A token was signed with a key that is not known, or not yet.
public final class UnknownKey extends RefusedIdentity {
    private static final long serialVersionUID = 1L;

    UnknownKey(String message) {
        super(message);
    }
}
