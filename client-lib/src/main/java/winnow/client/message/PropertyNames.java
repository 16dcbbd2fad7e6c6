package winnow.client.message;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Rules for the names of properties (Jakarta Messaging 3.1, 3.5.1 and 3.8.1.1).
final class PropertyNames {
    /// Number of times that the message was delivered; told by the client library, not stored.
    static final String DELIVERY_COUNT = "JMSXDeliveryCount";

    /// Of properties that have a meaning to the broker.
    private static final String OWN_PREFIX = "JMS_WINNOW_";

    /// By which the broker recognises a message that is sent again. The application sets it.
    private static final String DUPLICATE_ID = OWN_PREFIX + "DuplicateId";

    /// Properties that the broker sets on dead letters, which an application may copy.
    private static final Set<String> OF_DEAD_LETTERS =
            Set.of(
                    OWN_PREFIX + "DeadReason",
                    OWN_PREFIX + "DeadFrom",
                    OWN_PREFIX + "DeadDeliveries");

    /// Words of the selector language. Other spellings, such as `true`, are taken, as other
    /// providers do, although no selector can name them.
    private static final Set<String> RESERVED =
            Set.of(
                    "NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS",
                    "ESCAPE");

    private PropertyNames() {}

    /// Fails unless an application may set the property. Names that begin with JMS may be set, as
    /// with other providers: libraries set some that are header fields, too. Such a property is not
    /// the header field, and selectors do not see it.
    ///
    /// @throws IllegalArgumentException if the name is null or empty, as the specification wants
    /// @throws JMSException if it is no identifier, a word of the selector language, or looks like
    ///   one that the broker knows
    static void check(@Nullable String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected the name of a property, found "
                            + (name == null ? "null" : "an empty string"));
        }
        checkIdentifier(name);
        if (RESERVED.contains(name)) {
            throw new JMSException(
                    "property '%s': expected a name, found a word of selectors; name it '%s_'"
                            .formatted(name, name));
        }
        if (name.startsWith(OWN_PREFIX)
                && !name.equals(DUPLICATE_ID)
                && !OF_DEAD_LETTERS.contains(name)) {
            throw new JMSException(
                    "property '%s': expected %s, which is the one of that prefix to be set"
                            .formatted(name, DUPLICATE_ID));
        }
    }

    private static void checkIdentifier(String name) throws JMSException {
        if (!Character.isJavaIdentifierStart(name.charAt(0))) {
            throw new JMSException(
                    ("property '%s': expected a name that begins with a letter, _ or $, found '%s';"
                                    + " name it '%s'")
                            .formatted(
                                    name,
                                    Character.toString(name.codePointAt(0)),
                                    identifier(name)));
        }
        for (int i = 1; i < name.length(); i++) {
            if (!Character.isJavaIdentifierPart(name.charAt(i))) {
                throw new JMSException(
                        ("property '%s': expected a name of letters, digits, _ and $, found '%s'"
                                        + " at index %d; name it '%s'")
                                .formatted(
                                        name,
                                        Character.toString(name.codePointAt(i)),
                                        i,
                                        identifier(name)));
            }
        }
    }

    /// The name to use instead, which selectors can name, too: `x_tenant` for `x-tenant`.
    private static String identifier(String name) {
        StringBuilder identifier = new StringBuilder();
        if (Character.isDigit(name.charAt(0))) {
            identifier.append('_');
        }
        name.codePoints()
                .map(c -> c <= 0xFFFF && Character.isJavaIdentifierPart(c) ? c : '_')
                .forEach(identifier::appendCodePoint);
        return identifier.toString();
    }

    /// Fails if a message that is sent with the property would be refused.
    ///
    /// @throws MessageFormatException if it is [#DUPLICATE_ID] and names nothing
    static void checkSent(String name, @Nullable Object value) throws MessageFormatException {
        if (name.equals(DUPLICATE_ID) && !(value instanceof String text && !text.isEmpty())) {
            String found =
                    value == null
                            ? "null"
                            : "%s '%s'".formatted(value.getClass().getSimpleName(), value);
            throw new MessageFormatException(
                    "property '%s': expected a string that is not empty, found %s"
                            .formatted(name, found));
        }
    }
}
