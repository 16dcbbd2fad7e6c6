package winnow.selector.check;

import java.util.Set;
import winnow.selector.expression.Identifier;

/// Which names a selector may use (3.8.1.1).
public final class NameRules {

    private static final Set<String> HEADERS =
            Set.of(
                    "JMSCorrelationID",
                    "JMSDeliveryMode",
                    "JMSMessageID",
                    "JMSPriority",
                    "JMSTimestamp",
                    "JMSType");

    private NameRules() {}

    /// Names that begin with JMS belong to the specification: six header fields may be used, as may
    /// JMSX properties and the provider's own (`JMS_`).
    public static Identifier identifier(String name, Position position) {
        boolean reserved =
                name.startsWith("JMS") && !name.startsWith("JMSX") && !name.startsWith("JMS_");
        if (reserved && !HEADERS.contains(name)) {
            throw position.error(
                    "one of the header fields JMSCorrelationID, JMSDeliveryMode, JMSMessageID,"
                            + " JMSPriority, JMSTimestamp, JMSType, or a property name",
                    "'" + name + "'");
        }
        return RecentNames.of(name);
    }
}
