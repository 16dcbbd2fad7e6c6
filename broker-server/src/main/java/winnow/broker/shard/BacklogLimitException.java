package winnow.broker.shard;

/// A consumer with a filter cannot begin: the backlogs that such consumers have to look at take too
/// much memory.
public final class BacklogLimitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BacklogLimitException(String message) {
        super(message);
    }
}
