package winnow.loadgen.workload;

import com.fasterxml.jackson.annotation.JsonValue;

/// Kinds of filters that the subscribers of an experiment have (FioranoMQ paper, section 4.4).
public enum FilterKind {
    /// No filters; every subscriber of a topic gets every message.
    NONE("none"),
    /// The correlation ID of a message.
    CORRELATION_ID("correlation-id"),
    /// Application properties.
    PROPERTY("property");

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
