package winnow.wire;

/// The peer broke the protocol: the connection must be closed, nothing else is affected.
public final class WireException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /// @param message what was expected, what was found, where; kept as short as
    ///   [Printable#message] makes it
    public WireException(ErrorCode code, String message) {
        super(Printable.message(message));
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
