package winnow.broker.matching;

import winnow.wire.ErrorCode;
import winnow.wire.Printable;

/// A client's request cannot be carried out; it is answered with a Refused frame.
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /// @param message what was expected, what was found; kept as short as [Printable#message] makes
    ///   it
    public RefusedException(ErrorCode code, String message) {
        super(Printable.message(message), null, false, false);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
