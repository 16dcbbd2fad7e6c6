package winnow.loadgen.workload;

import com.fasterxml.jackson.annotation.JsonValue;

/// A vertical axis of a [Figure].
public enum Quantity {
    /// Messages that the broker got from publishers.
    RECEIVED("received", "received", "messages/s"),
    /// Copies that subscribers got.
    DISPATCHED("dispatched", "dispatched", "messages/s"),
    /// Both together.
    OVERALL("overall", "overall", "messages/s"),
    /// Both together in bits on the wire: [WireBytes].
    MEGABITS("megabits", "overall", "Mbit/s");

    private static final double BITS = 8e-6;

    private final String label;
    private final String title;
    private final String unit;

    Quantity(String label, String title, String unit) {
        this.label = label;
        this.title = title;
        this.unit = unit;
    }

    /// The name in files.
    @JsonValue
    public String label() {
        return label;
    }

    /// The name in the chart.
    public String title() {
        return title;
    }

    /// Quantities of one unit share a chart.
    public String unit() {
        return unit;
    }

    /// @param received messages per second
    /// @param dispatched copies per second
    public double of(Point point, double received, double dispatched) {
        return switch (this) {
            case RECEIVED -> received;
            case DISPATCHED -> dispatched;
            case OVERALL -> received + dispatched;
            case MEGABITS ->
                    (received + dispatched) * WireBytes.ofMessage(point.bodyBytes()) * BITS;
        };
    }
}
