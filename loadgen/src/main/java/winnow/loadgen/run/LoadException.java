package winnow.loadgen.run;

/// A run cannot go on, or its results cannot be trusted. The message is for the person who started
/// it.
public final class LoadException extends Exception {

    private static final long serialVersionUID = 1;

    public LoadException(String message) {
        super(message);
    }

    public LoadException(String message, Throwable cause) {
        super(message, cause);
    }
}
