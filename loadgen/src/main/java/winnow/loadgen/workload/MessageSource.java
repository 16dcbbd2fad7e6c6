package winnow.loadgen.workload;

import com.fasterxml.jackson.annotation.JsonValue;

/// Source from which publishers take their messages.
public enum MessageSource {
    /// Made in advance and sent over and over, as in the FioranoMQ paper, section 3.2. A provider
    /// that keeps what it has encoded encodes each of them once.
    CACHED("cached"),
    /// A new message for each send, as applications do.
    FRESH("fresh");

    private final String label;

    MessageSource(String label) {
        this.label = label;
    }

    /// The name in files and on the command line.
    @JsonValue
    public String label() {
        return label;
    }

    @Override
    public String toString() {
        return label;
    }
}
