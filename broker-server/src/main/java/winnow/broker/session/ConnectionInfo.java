package winnow.broker.session;

import winnow.wire.Printable;

/// A connection for people.
///
/// @param id in hexadecimal digits, as in the log
/// @param client identifier that the client gave, empty if it gave none
/// @param application name that the client gave, empty if it gave none
/// @param host where the application runs, in its own words; empty if it gave none
/// @param user empty if clients need no credentials
/// @param address where the client is, without its port
/// @param away whether the connection was lost and the client may come back
/// @param subscriptions how many it has
/// @param producers destinations that it has open for publishing
public record ConnectionInfo(
        String id,
        String client,
        String application,
        String host,
        String user,
        String address,
        boolean away,
        int subscriptions,
        int producers) {
    /// One line of the log, and what producers are told of who holds them back.
    public static String label(
            long connectionId, String clientId, String application, Object address) {
        return "connection %016x%s%s at %s"
                .formatted(
                        connectionId,
                        clientId.isEmpty() ? "" : " of client '" + Printable.of(clientId) + "'",
                        application.isEmpty() ? "" : " (" + Printable.of(application) + ")",
                        address);
    }
}
