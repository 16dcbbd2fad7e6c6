package winnow.loadgen.workload;

import com.fasterxml.jackson.annotation.JsonValue;

/// What the subscribers of an experiment filter on (FioranoMQ paper, section 4.4).
public enum FilterKind {
    /// No filters; every subscriber gets every message.
    NONE("none"),
    /// The correlation ID of a message.
    CORRELATION_ID("correlation-id"),
    /// The application property `p`.
    PROPERTY("property"),
    /// 25 properties joined by AND (section 4.8); the first one differs.
    AND_FIRST("and-first"),
    /// The same, the middle one differs.
    AND_MIDDLE("and-middle"),
    /// The same, the last one differs.
    AND_LAST("and-last"),
    /// 25 values of the property `p` joined by OR (section 4.7); the last one is sent.
    OR("or");

    private final String label;

    FilterKind(String label) {
        this.label = label;
    }

    /// The name in files, on the command line and in reports.
    @JsonValue
    public String label() {
        return label;
    }

    @Override
    public String toString() {
        return label;
    }
}
