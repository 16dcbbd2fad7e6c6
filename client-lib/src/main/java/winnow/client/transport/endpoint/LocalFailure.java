package winnow.client.transport.endpoint;

/// Reasons for failures on this side of a connection, where the broker gave none. The names are the
/// error codes that applications see.
public enum LocalFailure {
    /// No address of the broker could be connected to.
    CONNECT_FAILED,
    /// The server that answers there is not a Winnow broker.
    NOT_A_BROKER,
    /// TLS does not come about: the broker's certificate is not trusted, or one side does not speak
    /// TLS.
    TLS_FAILED,
    /// An established connection is gone.
    CONNECTION_LOST,
    /// This side closed the connection.
    CONNECTION_CLOSED,
    /// The broker did not answer in time: it is not known what became of the request.
    TIMED_OUT,
    /// A message could not be sent in time, and was not.
    SEND_BLOCKED,
    /// The thread was interrupted.
    INTERRUPTED
}
