package winnow.loadgen.workload;

import com.fasterxml.jackson.annotation.JsonValue;

/// The horizontal axis of a [Figure].
public enum HorizontalAxis {
    PUBLISHERS("publishers", "publishers"),
    SUBSCRIBERS("subscribers", "subscribers"),
    TOPICS("topics", "topics"),
    TARGETS("targets", "topics or ids, each with a subscriber"),
    IDS("ids", "different ids"),
    FILTERS("filters", "installed filters"),
    BODY_BYTES("bodyBytes", "bytes of a body"),
    CONDITIONS("conditions", "conditions joined by AND");

    private final String label;
    private final String title;

    HorizontalAxis(String label, String title) {
        this.label = label;
        this.title = title;
    }

    /// The name in files.
    @JsonValue
    public String label() {
        return label;
    }

    /// Text below the axis.
    public String title() {
        return title;
    }

    /// Place of a point on the axis.
    public int of(Point point) {
        return switch (this) {
            case PUBLISHERS -> point.publishers();
            case SUBSCRIBERS -> point.subscribers();
            case TOPICS -> point.topics();
            case TARGETS -> point.targets();
            case IDS -> point.ids();
            case FILTERS -> point.installedFilters();
            case BODY_BYTES -> point.bodyBytes();
            case CONDITIONS -> point.conditions();
        };
    }
}
