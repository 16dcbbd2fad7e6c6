package winnow.loadgen.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Geometric mean of ratios, each of two measurements of one repetition, and its 95 % interval by
/// Student's t distribution over their logarithms: what disturbs a repetition disturbs both sides.
/// Immutable.
///
/// @param ratio the mean
/// @param low lower end of the interval; null of a single pair, which has none
/// @param high upper end
/// @param pairs repetitions in which both were measured
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PairedRatio(double ratio, @Nullable Double low, @Nullable Double high, int pairs) {

    private static final double CONFIDENCE = 0.95;

    /// @param logs natural logarithm of the ratio in each repetition, at least one
    public static PairedRatio of(List<Double> logs) {
        var estimate =
                Estimate.of(logs.stream().mapToDouble(Double::doubleValue).toArray(), CONFIDENCE);
        var isAlone = estimate.count() == 1;
        return new PairedRatio(
                Math.exp(estimate.mean()),
                isAlone ? null : (Double) Math.exp(estimate.low()),
                isAlone ? null : (Double) Math.exp(estimate.high()),
                estimate.count());
    }

    /// Text such as `0.37 (0.35 to 0.39)`.
    public String text() {
        return low == null || high == null
                ? digits(ratio)
                : digits(ratio) + " (" + digits(low) + " to " + digits(high) + ")";
    }

    /// Two digits below 1, three from 1 on: a ratio may be 0.012 or 123.
    private static String digits(double value) {
        return value > 0 && Double.isFinite(value)
                ? BigDecimal.valueOf(value)
                        .round(new MathContext(value < 1 ? 2 : 3))
                        .stripTrailingZeros()
                        .toPlainString()
                : Double.toString(value);
    }
}
