package winnow.broker.admin.request;

import java.util.LinkedHashMap;
import java.util.Map;

/// A parameter in the query of a request.
public enum Parameter {
    LIMIT("limit", "most entries", false) {
        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", "integer");
            schema.put("minimum", 1);
            schema.put("maximum", Listing.MAX_LIMIT);
            schema.put("default", Listing.DEFAULT_LIMIT);
            return schema;
        }
    },
    AFTER("after", "the last name, number or id of the page before", false),
    NAME("name", "only entries whose name this fits; * stands for any text", false),
    SELECTOR("selector", "only messages that this selector matches", false),
    USER("user", "name of the user", true),
    OPERATION("operation", "what the user would do, such as send", true),
    KIND("kind", "queue, topic, subscription, client or broker", true),
    OBJECT("name", "of the object, empty for the broker", false),
    CLIENT("client", "identifier of the client that would ask", false),
    GROUP("group", "one that others say the user is in, such as ldap:cn=desk", false),
    TO("to", "name of the other queue, which is made if it is not there", true),
    ADDRESS("address", "where other nodes reach it, as HOST:PORT", true),
    BACKUP("name", "of the backup, a file name; without it the time", false);

    private final String text;
    private final String description;
    private final boolean required;

    Parameter(String text, String description, boolean required) {
        this.text = text;
        this.description = description;
        this.required = required;
    }

    /// As it is written.
    public String text() {
        return text;
    }

    public String description() {
        return description;
    }

    /// True if a request without it is refused.
    public boolean required() {
        return required;
    }

    /// The JSON schema of its value.
    public Map<String, Object> schema() {
        return Map.of("type", "string");
    }
}
