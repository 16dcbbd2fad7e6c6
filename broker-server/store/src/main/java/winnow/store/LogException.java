package winnow.store;

/// A log could not be read or written; the message says which and what was found.
public class LogException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /// Reason why a log fails.
    public enum Reason {
        /// The disk is full.
        NO_SPACE,

        /// Reading, writing or syncing failed.
        IO,

        /// Data that was read is not what was written.
        CORRUPT,

        /// Another owner has taken the log.
        FENCED,

        /// The log has been closed.
        CLOSED
    }

    public LogException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public LogException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
