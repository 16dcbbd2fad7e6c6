package winnow.broker.subscription;

/// Publisher of a message: a connection, or the broker for one that was delayed.
public interface Publisher {
    /// Client identifier of the connection, empty if it has none. Any thread.
    default String clientId() {
        return "";
    }
}
