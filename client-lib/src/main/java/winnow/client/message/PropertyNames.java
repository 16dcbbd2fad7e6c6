package winnow.client.message;

import jakarta.jms.JMSException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Rules for the names of properties (Jakarta Messaging 3.1, 3.5.1 and 3.8.1.1).
final class PropertyNames {
    /// How often the message was delivered; told by the client library, not stored.
    static final String DELIVERY_COUNT = "JMSXDeliveryCount";

    private static final Set<String> RESERVED =
            Set.of(
                    "NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS",
                    "ESCAPE");

    private PropertyNames() {}

    /// Fails unless a selector could name the property and an application may set it.
    ///
    /// @throws IllegalArgumentException if the name is null or empty, as the specification wants
    /// @throws JMSException if it is no identifier, a word of the selector language, or reserved
    static void check(@Nullable String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected the name of a property, found "
                            + (name == null ? "null" : "an empty string"));
        }
        boolean identifier = Character.isJavaIdentifierStart(name.charAt(0));
        for (int i = 1; i < name.length() && identifier; i++) {
            identifier = Character.isJavaIdentifierPart(name.charAt(i));
        }
        if (!identifier) {
            throw new JMSException(
                    "property '" + name + "': expected a name of letters, digits, _ and $");
        }
        if (name.length() <= 7 && RESERVED.contains(name.toUpperCase(Locale.ROOT))) {
            throw new JMSException(
                    "property '" + name + "': expected a name, found a word of selectors");
        }
        if (name.startsWith("JMS") && !name.startsWith("JMSX") && !name.startsWith("JMS_")) {
            throw new JMSException(
                    "property '" + name + "': names that begin with JMS are reserved");
        }
    }
}
