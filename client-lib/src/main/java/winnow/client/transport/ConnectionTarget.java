package winnow.client.transport;

import winnow.wire.ControlFrame;

/// Where to connect and what to say first. Immutable.
///
/// @param hello credentials, client identifier and heartbeat wish
/// @param connectTimeoutMillis longest wait for TCP and handshake together
/// @param requestTimeoutMillis longest wait for the answer to a request
/// @param ioThreads number of event loops, shared with other connections that want as many
public record ConnectionTarget(
        String host,
        int port,
        ControlFrame.Hello hello,
        int connectTimeoutMillis,
        int requestTimeoutMillis,
        int ioThreads) {}
