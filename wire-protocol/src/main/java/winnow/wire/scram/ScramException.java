package winnow.wire.scram;

/// The other side's message is not as RFC 5802 says, or its proof is wrong. The text says what was
/// expected and what was found, but shows neither proofs nor salts.
public final class ScramException extends Exception {
    private static final long serialVersionUID = 1L;

    public ScramException(String message) {
        super(message);
    }
}
