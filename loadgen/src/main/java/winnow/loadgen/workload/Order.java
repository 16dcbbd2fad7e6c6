package winnow.loadgen.workload;

import com.fasterxml.jackson.annotation.JsonValue;

/// Place of the condition that rejects the messages for other subscribers, among those that a
/// filter joins by AND (FioranoMQ paper, section 4.8).
public enum Order {
    FIRST("first"),
    MIDDLE("middle"),
    LAST("last");

    private final String label;

    Order(String label) {
        this.label = label;
    }

    /// The name in files.
    @JsonValue
    public String label() {
        return label;
    }

    /// Number of the condition, from 1, that holds the id.
    ///
    /// @param conditions how many there are; in the middle of an even number are two, of which the
    ///   paper gives the first one to the lower ids
    public int decisive(int conditions, int id) {
        return switch (this) {
            case FIRST -> 1;
            case MIDDLE -> (conditions + 1) / 2 + (isAfterMiddle(conditions, id) ? 1 : 0);
            case LAST -> conditions;
        };
    }

    private static boolean isAfterMiddle(int conditions, int id) {
        return conditions % 2 == 0 && id > conditions / 2;
    }
}
