package winnow.loadgen.workload;

import com.fasterxml.jackson.annotation.JsonValue;

/// Which ids the publishers put into their messages.
public enum Sending {
    /// Every message carries #0: sections 4.4 and 4.9 of the paper.
    ONE_ID("one-id"),
    /// #1 to #n in turn, one subscriber for each: sections 4.6 to 4.8 of the paper.
    ROUND_ROBIN("round-robin");

    private final String label;

    Sending(String label) {
        this.label = label;
    }

    /// The name in files.
    @JsonValue
    public String label() {
        return label;
    }
}
