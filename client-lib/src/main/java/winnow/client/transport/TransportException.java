package winnow.client.transport;

import winnow.wire.ErrorCode;

/// Something that was asked of a connection could not be done: the broker refused it, it took too
/// long, or the connection is gone.
public final class TransportException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /// @param code the broker's reason, or [ErrorCode#NONE] if the reason lies on this side
    public TransportException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /// With the failure that led to this one.
    public TransportException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /// The broker's reason, or [ErrorCode#NONE] if the reason lies on this side.
    public ErrorCode code() {
        return code;
    }

    /// The same failure for another thread: with the stack of the thread that throws it.
    TransportException again() {
        String text = getMessage();
        return new TransportException(code, text == null ? code.name() : text, this);
    }

    /// The failure for a code that came over the wire; a newer broker may know more codes.
    static TransportException ofNumber(int number, String message) {
        ErrorCode code = ErrorCode.ofNumber(number);
        return code == null
                ? new TransportException(
                        ErrorCode.INTERNAL_ERROR, message + " (code " + number + ")")
                : new TransportException(code, message);
    }
}
