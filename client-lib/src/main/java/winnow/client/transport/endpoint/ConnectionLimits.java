package winnow.client.transport.endpoint;

import winnow.wire.Protocol;

/// Longest waits of a connection, and longest message that it takes.
///
/// @param connectTimeoutMillis longest wait for one host: name, TCP and handshake together
/// @param requestTimeoutMillis longest wait for the answer to a request
/// @param maxMessageBytes longest frame with a message that is read into the heap, at least
///   [#LEAST_MESSAGE_BYTES]
public record ConnectionLimits(
        int connectTimeoutMillis, int requestTimeoutMillis, int maxMessageBytes) {
    /// Bytes by which a delivery may be longer than the publish that it brings: subscription ids.
    public static final int DELIVERY_OVERHEAD = 256 * 1024;

    /// A part of a message has to fit, whatever the heap.
    public static final int LEAST_MESSAGE_BYTES = Protocol.MAX_PART_BYTES + DELIVERY_OVERHEAD;
}
