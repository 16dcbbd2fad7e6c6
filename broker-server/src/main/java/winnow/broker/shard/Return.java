package winnow.broker.shard;

/// How a message comes back that was delivered and not acknowledged.
public enum Return {
    /// The application has not seen it: the client had received it ahead.
    UNSEEN,

    /// Nobody knows whether the application has seen it: the connection is lost. It is marked as
    /// redelivered, but does not count as an attempt.
    UNKNOWN,

    /// The application has seen it and could not process it.
    FAILED
}
