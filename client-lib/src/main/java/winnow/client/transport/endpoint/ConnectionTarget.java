package winnow.client.transport.endpoint;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Brokers to connect to, with what to say first. Immutable.
///
/// @param hosts where brokers may be, at least one, in the order in which to try them
/// @param retry how often and at which pace they are tried
/// @param login credentials, client identifier and heartbeat wish
/// @param ioThreads number of event loops, shared with other connections that want as many
/// @param sockets options of the socket
/// @param tls null for a connection without TLS
public record ConnectionTarget(
        List<BrokerHost> hosts,
        RetryTerms retry,
        Login login,
        ConnectionLimits limits,
        int ioThreads,
        SocketTerms sockets,
        @Nullable TlsOptions tls) {
    private static final int MAX_SHOWN_CHARACTERS = 60;
    private static final int MAX_SHOWN_HOSTS = 10;

    public ConnectionTarget {
        hosts = List.copyOf(hosts);
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("expected at least one host, found none");
        }
    }

    /// The same with one round of attempts only.
    public ConnectionTarget once() {
        return new ConnectionTarget(hosts, retry.once(), login, limits, ioThreads, sockets, tls);
    }

    /// The same for a client that was connected before.
    ///
    /// @param rounds of attempts at most, -1 for no limit
    public ConnectionTarget returning(int rounds) {
        RetryTerms terms = retry.returning(rounds);
        return new ConnectionTarget(hosts, terms, login, limits, ioThreads, sockets, tls);
    }

    /// The same with the token that is in its file now, if it has one.
    ///
    /// @throws TransportException naming the file if there is none
    public ConnectionTarget ready() throws TransportException {
        return new ConnectionTarget(hosts, retry, login.ready(), limits, ioThreads, sockets, tls);
    }

    /// Hosts and ports, for people.
    public String peer() {
        int others = hosts.size() - MAX_SHOWN_HOSTS;
        return hosts.stream()
                        .limit(MAX_SHOWN_HOSTS)
                        .map(BrokerHost::toString)
                        .collect(Collectors.joining(", "))
                + (others > 0 ? " and " + others + " more" : "");
    }

    /// The begin of a name that is too long to be shown.
    public static String shortened(String name) {
        return name.length() <= MAX_SHOWN_CHARACTERS
                ? name
                : name.substring(0, MAX_SHOWN_CHARACTERS) + "…";
    }
}
