package winnow.loadgen.workload;

import com.fasterxml.jackson.annotation.JsonValue;

/// The scale of an axis.
public enum AxisScale {
    LINEAR("linear"),
    LOG("log");

    private final String label;

    AxisScale(String label) {
        this.label = label;
    }

    /// The name in files.
    @JsonValue
    public String label() {
        return label;
    }
}
