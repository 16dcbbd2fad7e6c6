package winnow.loadgen.workload;

import com.fasterxml.jackson.annotation.JsonValue;

/// The delivery mode of the messages.
public enum DeliveryGuarantee {
    NON_PERSISTENT("non-persistent"),
    /// With non-durable subscribers this is the paper's mode (section 2.1).
    PERSISTENT("persistent");

    private final String label;

    DeliveryGuarantee(String label) {
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
