package winnow.client.transport.endpoint;

import org.jspecify.annotations.Nullable;
import winnow.wire.ErrorCode;

/// Something that was asked of a connection could not be done: the broker refused it, it took too
/// long, or the connection is gone.
public final class TransportException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final @Nullable LocalFailure local;

    /// @param code the broker's reason, or what this side tells the broker
    public TransportException(ErrorCode code, String message) {
        super(message);
        this.code = code;
        local = null;
    }

    /// A failure of this side.
    public TransportException(LocalFailure local, String message) {
        this(local, message, null);
    }

    /// A failure of this side, with what led to it.
    public TransportException(LocalFailure local, String message, @Nullable Throwable cause) {
        super(message, cause);
        code = ErrorCode.NONE;
        this.local = local;
    }

    /// The broker's reason, or [ErrorCode#NONE] if the reason lies on this side.
    public ErrorCode code() {
        return code;
    }

    /// The reason if it lies on this side.
    public @Nullable LocalFailure local() {
        return local;
    }

    /// The reason's name, wherever it lies.
    public String codeName() {
        return local == null ? code.name() : local.name();
    }

    /// The failure for a code that came over the wire; a newer broker may know more codes.
    public static TransportException ofNumber(int number, String message) {
        ErrorCode code = ErrorCode.ofNumber(number);
        return code == null
                ? new TransportException(
                        ErrorCode.INTERNAL_ERROR, message + " (code " + number + ")")
                : new TransportException(code, message);
    }
}
