package winnow.client.transport;

/// What a connection waits for at most, and how long a message it takes.
///
/// @param connectTimeoutMillis longest wait for name, TCP and handshake together
/// @param requestTimeoutMillis longest wait for the answer to a request
/// @param maxMessageBytes longest frame with a message that is read into the heap
public record ConnectionLimits(
        int connectTimeoutMillis, int requestTimeoutMillis, int maxMessageBytes) {}
