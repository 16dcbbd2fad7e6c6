package winnow.broker.permission;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import winnow.wire.Printable;

/// A line of the audit: the logger [#LOGGER] gets it with its fields, and the log makes one object
/// of JSON of it. Used by one thread.
public final class AuditEvent {
    /// Name of the logger.
    public static final String LOGGER = "winnow.audit";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    private LoggingEventBuilder line;

    /// A value as long as what it is about may be: who reads the audit must see which queue it was.
    private static String shown(String value) {
        return Printable.line(Printable.message(value));
    }

    private AuditEvent(String event) {
        line = LOG.atInfo().addKeyValue("event", event);
    }

    /// @param event such as `login`, `refusal`, `change` or `reload`
    public static AuditEvent of(String event) {
        return new AuditEvent(event);
    }

    /// Adds who did it, from where.
    ///
    /// @param user empty if the broker has no users
    public AuditEvent by(String user, String address) {
        line = line.addKeyValue("user", shown(user)).addKeyValue("address", address);
        return this;
    }

    /// Adds a field, unless it is empty.
    public AuditEvent with(String name, String value) {
        if (!value.isEmpty()) {
            line = line.addKeyValue(name, shown(value));
        }
        return this;
    }

    /// Writes the line.
    ///
    /// @param message for people
    public void log(String message) {
        line.log("{}", shown(message));
    }
}
