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
        String shown = shortened(host);
        return (host.indexOf(':') < 0 ? shown : "[" + shown + "]") + ":" + port;
    }

    /// The begin of a name that is too long to be shown.
    static String shortened(String name) {
        return name.length() <= MAX_SHOWN_CHARACTERS
                ? name
                : name.substring(0, MAX_SHOWN_CHARACTERS) + "…";
    }
}
