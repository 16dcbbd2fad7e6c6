package winnow.broker.shard;

/// Way in which a message comes back that was delivered and not acknowledged.
public enum Return {
    /// The application has not seen it: the client had received it ahead.
    UNSEEN,

    /// Nobody knows whether the application has seen it: the connection is lost. It is marked as
    /// redelivered. A message that comes again does not count as an attempt: its client would have
    /// told, had the application seen it (ADR 29).
    UNKNOWN,

    /// The application has seen it and not acknowledged it.
    FAILED
}
