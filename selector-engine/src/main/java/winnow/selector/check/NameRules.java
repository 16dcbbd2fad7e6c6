package winnow.selector.check;

import java.util.List;
import java.util.Set;
import winnow.selector.expression.Identifier;

/// Which names a selector may use (3.8.1.1).
public final class NameRules {

    private static final List<String> HEADERS =
            List.of(
                    "JMSCorrelationID",
                    "JMSDeliveryMode",
                    "JMSMessageID",
                    "JMSPriority",
                    "JMSTimestamp",
                    "JMSType");

    private static final Set<String> OTHER_HEADERS =
            Set.of(
                    "JMSDestination",
                    "JMSReplyTo",
                    "JMSExpiration",
                    "JMSRedelivered",
                    "JMSDeliveryTime");

    private NameRules() {}

    /// Names that begin with JMS belong to the specification: six header fields may be used, as may
    /// JMSX properties and the provider's own (`JMS_`).
    public static Identifier identifier(String name, Position position) {
        if (!isAllowed(name)) {
            throw position.error(
                    "one of the header fields %s, or a property name".formatted(headerList()),
                    "'" + name + "'");
        }
        return RecentNames.of(name);
    }

    /// True if a selector may use the name.
    public static boolean isAllowed(String name) {
        boolean reserved =
                name.startsWith("JMS") && !name.startsWith("JMSX") && !name.startsWith("JMS_");
        return !reserved || HEADERS.contains(name);
    }

    /// True if the name is a header field that selectors may not use.
    public static boolean isOtherHeader(String name) {
        return OTHER_HEADERS.contains(name);
    }

    /// The header fields that selectors may use.
    public static List<String> headers() {
        return HEADERS;
    }

    /// The same, for errors.
    public static String headerList() {
        return String.join(", ", HEADERS);
    }
}
