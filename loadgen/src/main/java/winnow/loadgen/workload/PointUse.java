package winnow.loadgen.workload;

import com.fasterxml.jackson.annotation.JsonValue;

/// Use of a measured point.
public enum PointUse {
    /// The model is fitted to it.
    FIT("fit"),
    /// The model predicts it without having seen it.
    HELD_OUT("held-out");

    private final String label;

    PointUse(String label) {
        this.label = label;
    }

    /// The name in files.
    @JsonValue
    public String label() {
        return label;
    }
}
