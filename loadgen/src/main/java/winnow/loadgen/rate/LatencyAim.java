package winnow.loadgen.rate;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Latency that most messages have to meet. Immutable.
///
/// @param percentile out of those of [Percentile]
/// @param longest time from the moment at which a message is due to its arrival
public record LatencyAim(Percentile percentile, Duration longest) {

    /// Part of the messages that have to meet it.
    public enum Percentile {
        P50("p50"),
        P99("p99"),
        P999("p99.9");

        private final String label;

        Percentile(String label) {
            this.label = label;
        }

        /// Its value among those of a run.
        double micros(LatencyFigures figures) {
            return switch (this) {
                case P50 -> figures.p50Micros();
                case P99 -> figures.p99Micros();
                case P999 -> figures.p999Micros();
            };
        }

        @Override
        public String toString() {
            return label;
        }
    }

    public LatencyAim {
        if (!longest.isPositive()) {
            throw new IllegalArgumentException("expected a latency above 0, found " + longest);
        }
    }

    /// The percentile that counts, in microseconds.
    public double micros(RateResult result) {
        return percentile.micros(result.latency());
    }

    /// True if a run that is not void meets it, and the broker kept up.
    public boolean isMetBy(RateResult result) {
        return result.voidReason().isEmpty()
                && result.keptUp()
                && micros(result) * TimeUnit.MICROSECONDS.toNanos(1) <= longest.toNanos();
    }

    @Override
    public String toString() {
        return "%s of at most %s ms".formatted(percentile, longest.toNanos() / 1e6);
    }
}
