package winnow.broker.metrics;

/// Limits of what the metrics show one by one.
///
/// @param topics topics with metrics of their own; totals count them all
/// @param selectors the costliest selectors that are shown
public record MetricsConfig(int topics, int selectors) {
    public static final MetricsConfig DEFAULTS = new MetricsConfig(100, 10);

    public MetricsConfig {
        require("topics", topics);
        require("selectors", selectors);
    }

    private static void require(String key, int value) {
        if (value < 0 || value > 10_000) {
            throw new IllegalArgumentException(key + ": expected 0 to 10000, found " + value);
        }
    }
}
