package winnow.client.transport;

import org.jspecify.annotations.Nullable;

/// Where to connect and what to say first. Immutable.
///
/// @param login credentials, client identifier and heartbeat wish
/// @param ioThreads number of event loops, shared with other connections that want as many
/// @param tls null for a connection without TLS
public record ConnectionTarget(
        String host,
        int port,
        Login login,
        ConnectionLimits limits,
        int ioThreads,
        @Nullable TlsOptions tls) {
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
