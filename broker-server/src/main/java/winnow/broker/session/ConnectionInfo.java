package winnow.broker.session;

/// A connection for people.
///
/// @param id in hexadecimal digits, as in the log
/// @param client identifier that the client gave, empty if it gave none
/// @param user empty if clients need no credentials
/// @param address where the client is, without its port
/// @param subscriptions how many it has
/// @param producers destinations that it has open for publishing
public record ConnectionInfo(
        String id, String client, String user, String address, int subscriptions, int producers) {}
