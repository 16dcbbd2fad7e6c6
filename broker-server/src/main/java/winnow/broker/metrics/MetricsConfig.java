package winnow.broker.metrics;

import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;

/// Limits of what `/metrics/detailed` shows one by one.
public record MetricsConfig(
        @Setting(
                        value =
                                "topics that `/metrics/detailed` shows, the busiest"
                                        + " ones; totals count them all",
                        unit = "topics",
                        min = "0",
                        max = "" + MetricsConfig.MAX)
                int topics,
        @Setting(
                        value = "the costliest selectors that `/metrics/detailed` shows",
                        unit = "selectors",
                        min = "0",
                        max = "" + MetricsConfig.MAX)
                int selectors) {
    /// Largest limit.
    public static final int MAX = 10_000;

    public static final MetricsConfig DEFAULTS = new MetricsConfig(100, 10);

    public MetricsConfig {
        Ranges.check(MetricsConfig.class, topics, selectors);
    }
}
