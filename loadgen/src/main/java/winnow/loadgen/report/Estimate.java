package winnow.loadgen.report;

import java.util.Arrays;
import org.hipparchus.distribution.continuous.TDistribution;

/// A mean of repeated measurements and its confidence interval by Student's t distribution.
/// Immutable.
///
/// @param mean of all
/// @param halfWidth of the interval; 0 of a single measurement, which has none
/// @param count number of measurements
public record Estimate(double mean, double halfWidth, int count) {

    /// Of at least one measurement.
    ///
    /// @param confidence such as 0.95
    public static Estimate of(double[] values, double confidence) {
        var mean = Arrays.stream(values).average().orElseThrow();
        if (values.length == 1) {
            return new Estimate(mean, 0, 1);
        }
        var quantile =
                new TDistribution(values.length - 1)
                        .inverseCumulativeProbability((1 + confidence) / 2);
        return new Estimate(
                mean, quantile * deviation(values) / Math.sqrt(values.length), values.length);
    }

    /// Standard deviation of at least two values.
    static double deviation(double[] values) {
        var mean = Arrays.stream(values).average().orElseThrow();
        var squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
        return Math.sqrt(squares / (values.length - 1));
    }

    public double low() {
        return mean - halfWidth;
    }

    public double high() {
        return mean + halfWidth;
    }

    /// This over another one; the relative widths add as independent errors do.
    Estimate over(Estimate other) {
        var ratio = mean / other.mean;
        return new Estimate(
                ratio,
                ratio * Math.hypot(halfWidth / mean, other.halfWidth / other.mean),
                Math.min(count, other.count));
    }
}
