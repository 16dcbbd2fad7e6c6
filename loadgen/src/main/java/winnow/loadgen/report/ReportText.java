package winnow.loadgen.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.model.FitQuality;
import winnow.loadgen.model.Interval;
import winnow.loadgen.model.LackOfFit;

/// Numbers as the page's tables show them.
final class ReportText {
    private static final double MICROS = 1e6;

    /// Instead of the times of a model.
    static final String NO_MODEL =
            "No model: the valid points differ too little in filters and copies.";

    private static final String NOT_DETERMINED = "not determined";

    private ReportText() {}

    static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    static String megabytes(@Nullable Double bytes) {
        return bytes == null ? "–" : String.format(Locale.ROOT, "%,.1f", bytes / 1e6);
    }

    static String time(@Nullable Double micros) {
        return micros == null ? "–" : TimeText.of(micros / MICROS);
    }

    /// A parameter of the model. Where its interval contains zero, noise may be all of its value.
    ///
    /// @param interval null if there were too few points to tell
    static String fitted(double seconds, @Nullable Interval interval) {
        if (interval == null) {
            return isNothing(seconds) ? "unknown" : TimeText.of(seconds);
        }
        return interval.containsZero() || !interval.isTelling()
                ? NOT_DETERMINED
                : TimeText.of(seconds);
    }

    /// A parameter with its interval: `67.2 ns (62.0 to 84.2)`.
    static String fittedRange(double seconds, @Nullable Interval interval) {
        if (interval == null) {
            return fitted(seconds, null);
        }
        if (!interval.isTelling()) {
            return NOT_DETERMINED;
        }
        // Far below the upper end the value itself is noise.
        return interval.containsZero() && seconds < interval.high() / 4
                ? interval(interval)
                : TimeText.of(seconds)
                        + " ("
                        + TimeText.range(interval.low(), interval.high())
                        + ")";
    }

    /// 2,594,412 as `2.59 M/s`, 1,742 as `1,740/s`: three digits. A dash for what is no number.
    static String rate(double perSecond) {
        if (!Double.isFinite(perSecond)) {
            return "–";
        }
        var rounded = BigDecimal.valueOf(perSecond).round(new MathContext(3)).doubleValue();
        return rounded < 1e6
                ? String.format(Locale.ROOT, "%,.0f/s", rounded)
                : String.format(
                        Locale.ROOT, rounded < 1e7 ? "%.2f M/s" : "%,.1f M/s", rounded / 1e6);
    }

    /// Both ends in the unit of the upper one: `2.10 to 3.05 M/s`.
    static String rates(double low, double high) {
        if (!(low > 0) || !new Interval(low, high).isTelling()) {
            return NOT_DETERMINED;
        }
        var upper = rate(high);
        var unit = upper.endsWith("M/s") ? " M/s" : "/s";
        // A lower end below a million beside an upper one above it keeps its own unit.
        var lower = rate(low);
        return (lower.endsWith(unit) ? lower.replace(unit, "") : lower) + " to " + upper;
    }

    /// The quality of a model, in one line.
    static String quality(FitQuality quality, RunAnalysis analysis) {
        var text =
                String.format(
                        Locale.ROOT,
                        "mean error %.1f %%, %s",
                        quality.meanAbsoluteRelativeError() * 100,
                        lackOfFit(quality));
        return analysis.heldOutPoints() == 0 ? text : text + "; " + heldOut(analysis);
    }

    /// Of a parameter that may be zero only the upper end says something.
    static String interval(@Nullable Interval interval) {
        if (interval == null) {
            return "unknown";
        }
        if (!interval.isTelling()) {
            return NOT_DETERMINED;
        }
        if (!interval.containsZero()) {
            return TimeText.range(interval.low(), interval.high());
        }
        return isNothing(interval.high())
                ? "too short to measure"
                : "at most " + TimeText.of(interval.high());
    }

    /// Lack of fit in words: misses beyond the scatter of repetitions, and what cannot be told.
    static String lackOfFit(FitQuality quality) {
        return lackOfFit(quality.lackOfFit())
                + (quality.transmit() == null ? ", no interval of t_tx from two r" : "");
    }

    private static String lackOfFit(LackOfFit lack) {
        if (Double.isNaN(lack.pValue())) {
            return "each point measured once";
        }
        var scatter =
                String.format(
                        Locale.ROOT, "repetitions scatter by %.1f %%", lack.pureErrorShare() * 100);
        return scatter
                + (lack.isSignificant() ? ", the model bends" : "")
                + (lack.isByGrade() ? ", each r has an error of its own" : "");
    }

    /// Predictions of points that the fit has not seen, in words.
    static String heldOut(RunAnalysis analysis) {
        var points = analysis.heldOutPoints();
        return String.format(
                Locale.ROOT,
                "%d of %d unseen points in their 95 %% intervals, the worst off by %.0f %%",
                analysis.coveredPoints(),
                points,
                analysis.worstPredictionError().orElse(0) * 100);
    }

    /// True if it is shown as 0.
    private static boolean isNothing(double seconds) {
        return TimeText.of(seconds).equals(TimeText.of(0));
    }

    /// A mean with half of its interval, to three digits.
    static String estimate(Estimate estimate) {
        var mean = rounded(estimate.mean());
        return estimate.count() == 1
                ? mean
                : "%s ± %.1f %%".formatted(mean, estimate.halfWidth() / estimate.mean() * 100);
    }

    private static String rounded(double value) {
        var digits = BigDecimal.valueOf(value).round(new MathContext(3));
        return String.format(Locale.ROOT, value < 100 ? "%,.2f" : "%,.0f", digits);
    }

    static String share(@Nullable Double share) {
        return share == null ? "–" : String.format(Locale.ROOT, "%.0f %%", share * 100);
    }
}
