package winnow.broker.admin.request;

import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.permission.AuditEvent;
import winnow.broker.session.ConnectionInfo;
import winnow.wire.Printable;

/// The user who changes something by the API: the log and the audit have a line for each change.
/// Immutable.
///
/// @param user empty if the broker has no users
/// @param address where the request came from
/// @param operation name of the route
/// @param object what the path names, empty for the broker as a whole
/// @param rule line of the rule that allows it, 0 if none had to
public record Operator(String user, String address, String operation, String object, int rule) {
    private static final Logger LOG = LoggerFactory.getLogger(Operator.class);

    /// Tells what was done.
    ///
    /// @param what such as `removed queue orders`
    public void did(String what) {
        String who = user.isEmpty() ? "Somebody" : "User " + Printable.of(user);
        LOG.info("{} at {} {}", who, address, what);
        AuditEvent.of("change")
                .by(user, address)
                .with("operation", operation)
                .with("object", object)
                .with("rule", rule == 0 ? "" : String.valueOf(rule))
                .log(what);
    }

    /// The same by another rule, which a look-up has found.
    public Operator under(int line) {
        return new Operator(user, address, operation, object, line);
    }

    /// A connection for people.
    public static String connection(ConnectionInfo one) {
        return ConnectionInfo.label(
                Long.parseUnsignedLong(one.id(), 16),
                one.client(),
                one.application(),
                one.address());
    }

    /// A number of messages for people.
    public static String count(long messages) {
        return messages == 1 ? "1 message" : String.format(Locale.ROOT, "%,d messages", messages);
    }
}
