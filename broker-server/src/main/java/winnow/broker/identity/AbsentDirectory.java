package winnow.broker.identity;

/// Refusal of a password that a directory could not be asked about. It may be right.
public final class AbsentDirectory extends RefusedIdentity {
    private static final long serialVersionUID = 1L;

    AbsentDirectory(String message) {
        super(message);
    }
}
