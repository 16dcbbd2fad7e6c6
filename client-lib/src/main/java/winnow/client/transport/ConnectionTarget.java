package winnow.client.transport;

import winnow.wire.ControlFrame;

/// Where to connect and what to say first. Immutable.
///
/// @param hello credentials, client identifier and heartbeat wish
/// @param connectTimeoutMillis longest wait for name, TCP and handshake together
/// @param requestTimeoutMillis longest wait for the answer to a request
/// @param ioThreads number of event loops, shared with other connections that want as many
public record ConnectionTarget(
        String host,
        int port,
        ControlFrame.Hello hello,
        int connectTimeoutMillis,
        int requestTimeoutMillis,
        int ioThreads) {
    private static final int MAX_SHOWN_CHARACTERS = 60;

    /// Host and port, for people.
    String peer() {
        String shown =
                host.length() <= MAX_SHOWN_CHARACTERS
                        ? host
                        : host.substring(0, MAX_SHOWN_CHARACTERS) + "…";
        return (host.indexOf(':') < 0 ? shown : "[" + shown + "]") + ":" + port;
    }
}
