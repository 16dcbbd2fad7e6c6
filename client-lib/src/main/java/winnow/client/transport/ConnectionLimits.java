package winnow.client.transport;

/// Longest waits of a connection, and longest message that it takes.
///
/// @param connectTimeoutMillis longest wait for name, TCP and handshake together
/// @param requestTimeoutMillis longest wait for the answer to a request
/// @param maxMessageBytes longest frame with a message that is read into the heap
public record ConnectionLimits(
        int connectTimeoutMillis, int requestTimeoutMillis, int maxMessageBytes) {}
