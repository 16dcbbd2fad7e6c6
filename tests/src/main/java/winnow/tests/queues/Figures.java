package winnow.tests.queues;

import java.util.LinkedHashMap;
import java.util.Map;

/// The figures of one row by their columns, in order. Not thread-safe.
final class Figures {
    private final Map<String, Double> values = new LinkedHashMap<>();

    Figures with(String column, double value) {
        values.put(column, value);
        return this;
    }

    /// All of them, in order.
    Map<String, Double> values() {
        return values;
    }
}
