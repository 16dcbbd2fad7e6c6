package winnow.broker.admin;

import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.session.ConnectionInfo;
import winnow.broker.transport.HttpServer.Request;
import winnow.wire.Printable;

/// The user who changes something by the API: the log has a line for each change. Immutable.
///
/// @param user empty if the broker has no users
/// @param address where the request came from
record Operator(String user, String address) {
    private static final Logger LOG = LoggerFactory.getLogger(Operator.class);

    static Operator of(Request request) {
        return new Operator(request.user(), request.address());
    }

    /// Tells what was done.
    ///
    /// @param what such as `removed queue orders`
    void did(String what) {
        String who = user.isEmpty() ? "Somebody" : "User " + Printable.of(user);
        LOG.info("{} at {} {}", who, address, what);
    }

    /// A connection for people.
    static String connection(ConnectionInfo one) {
        return "connection %s of %s at %s"
                .formatted(
                        one.id(),
                        one.client().isEmpty()
                                ? "a client without identifier"
                                : "client " + Printable.of(one.client()),
                        one.address());
    }

    /// A number of messages for people.
    static String count(long messages) {
        return messages == 1 ? "1 message" : String.format(Locale.ROOT, "%,d messages", messages);
    }
}
