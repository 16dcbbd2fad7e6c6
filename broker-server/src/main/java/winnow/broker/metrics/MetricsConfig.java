package winnow.broker.metrics;

/// Limits of what `/metrics/detailed` shows one by one.
///
/// @param topics topics that are shown, the busiest ones; totals count them all
/// @param selectors the costliest selectors that are shown
public record MetricsConfig(int topics, int selectors) {
    /// Largest limit.
    public static final int MAX = 10_000;

    public static final MetricsConfig DEFAULTS = new MetricsConfig(100, 10);

    public MetricsConfig {
        require("topics", topics);
        require("selectors", selectors);
    }

    private static void require(String key, int value) {
        if (value < 0 || value > MAX) {
            throw new IllegalArgumentException(key + ": expected 0 to " + MAX + ", found " + value);
        }
    }
}
