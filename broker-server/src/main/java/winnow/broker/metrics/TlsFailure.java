package winnow.broker.metrics;

/// Reason why a TLS connection did not come about.
public enum TlsFailure {
    /// The client does not accept the broker's certificate.
    CERTIFICATE_REFUSED,
    /// The client showed no certificate, or one that the broker does not accept.
    CLIENT_CERTIFICATE,
    /// The client ended the handshake by another alert.
    CLIENT_ALERT,
    /// The client closed the connection, or its time was up, during the handshake.
    CLIENT_LEFT,
    /// The client did not speak TLS to a port that does.
    CLEAR_TEXT,
    /// The client spoke TLS to a port that does not.
    UNEXPECTED_TLS,
    /// Anything else, such as no cipher suite in common.
    OTHER
}
