package winnow.loadgen.ageing;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.regression.OLSMultipleLinearRegression;

/// Change of a figure with time: a straight line through all rounds, by least squares, with a level
/// of its own for each start of the broker, because a restart may cure what has grown. Immutable.
///
/// Disturbances often last for more than one round. The interval allows for that: of n rounds whose
/// errors are correlated by r from each to the next, n (1 - r) / (1 + r) count (Santer et al.,
/// Journal of Geophysical Research 105, 2000).
///
/// @param name of the figure
/// @param isGood true if more of it is better
/// @param mean over the rounds, in the unit of the figure
/// @param perDay change in a day, as a share of the mean
/// @param halfWidth of the 95 % interval of perDay
/// @param days from the first round to the last
public record Drift(
        String name, boolean isGood, double mean, double perDay, double halfWidth, double days) {

    /// The paper, section 4.10: 30 % less in four weeks.
    static final double PAPER_LOSS = 0.3;

    static final double PAPER_DAYS = 28;

    private static final double PAPER_PER_DAY = PAPER_LOSS / PAPER_DAYS;

    private static final double DAYS_PER_WEEK = 7;
    private static final double HOURS_PER_DAY = 24;

    /// Two hours.
    private static final double LEAST_DAYS = 2 / HOURS_PER_DAY;

    /// Upper end of a 95 % interval, as a probability.
    private static final double UPPER = 0.975;

    /// Correlation beyond which a few rounds say nothing at all.
    private static final double MOST_CORRELATION = 0.95;

    /// A figure of one round.
    ///
    /// @param days since the first round
    /// @param life restarts of the broker before
    record TimedValue(double days, double value, int life) {}

    /// Empty if there are too few rounds to say anything, or the figure is zero.
    static Optional<Drift> of(String name, boolean isGood, List<TimedValue> all) {
        // A round alone between two restarts says nothing of a change.
        var readings =
                all.stream()
                        .collect(
                                Collectors.groupingBy(
                                        TimedValue::life, TreeMap::new, Collectors.toList()))
                        .values()
                        .stream()
                        .filter(life -> life.size() > 1)
                        .flatMap(List::stream)
                        .toList();
        var lives = readings.stream().map(TimedValue::life).distinct().sorted().toList();
        var mean = readings.stream().mapToDouble(TimedValue::value).average().orElse(0);
        if (mean <= 0 || readings.size() < lives.size() + 2) {
            return Optional.empty();
        }
        var regression = new OLSMultipleLinearRegression();
        regression.setNoIntercept(true);
        var values = readings.stream().mapToDouble(one -> one.value() / mean).toArray();
        var rows = new double[values.length][lives.size() + 1];
        for (var row = 0; row < rows.length; row++) {
            rows[row][lives.indexOf(readings.get(row).life())] = 1;
            rows[row][lives.size()] = readings.get(row).days();
        }
        regression.newSampleData(values, rows);
        var slope = regression.estimateRegressionParameters()[lives.size()];
        var error = regression.estimateRegressionParametersStandardErrors()[lives.size()];
        var correlation = correlation(readings, regression.estimateResiduals());
        var kept = (1 - correlation) / (1 + correlation);
        var freedom = Math.max(1, kept * values.length - rows[0].length);
        var widening = Math.sqrt((values.length - rows[0].length) / freedom);
        var half =
                error * widening * new TDistribution(freedom).inverseCumulativeProbability(UPPER);
        var days = readings.getLast().days() - readings.getFirst().days();
        return Optional.of(new Drift(name, isGood, mean, slope, half, days));
    }

    /// Of errors that follow each other in one life of the broker, at least 0.
    private static double correlation(List<TimedValue> readings, double[] residuals) {
        var products = 0.0;
        var squares = 0.0;
        for (var index = 0; index < residuals.length; index++) {
            squares += residuals[index] * residuals[index];
            if (index > 0 && readings.get(index).life() == readings.get(index - 1).life()) {
                products += residuals[index] * residuals[index - 1];
            }
        }
        return squares == 0 ? 0 : Math.clamp(products / squares, 0, MOST_CORRELATION);
    }

    double low() {
        return perDay - halfWidth;
    }

    double high() {
        return perDay + halfWidth;
    }

    /// True if the interval leaves no doubt that there is a change.
    boolean isCertain() {
        return low() > 0 || high() < 0;
    }

    /// True if it certainly gets worse by more than a share of its mean in a week.
    boolean isWorseByMoreThan(double sharePerWeek) {
        var least = isGood ? -high() : low();
        return !isTooShort() && least * DAYS_PER_WEEK > sharePerWeek;
    }

    /// True if minutes would have to tell of days.
    boolean isTooShort() {
        return days < LEAST_DAYS;
    }

    /// In words.
    public String verdict() {
        if (isTooShort()) {
            return "%s: too short to tell: %s".formatted(name, time(days));
        }
        var figure =
                "%s %% ± %s %% per day"
                        .formatted(
                                percent(isCertain() ? Math.abs(perDay) : perDay),
                                percent(halfWidth));
        if (isCertain()) {
            var until = PAPER_LOSS / Math.abs(perDay);
            return "%s %s %s, 30 %% after %s"
                    .formatted(name, perDay > 0 ? "grows" : "falls", figure, time(until));
        }
        return halfWidth > PAPER_PER_DAY
                ? "%s: nothing to say yet: %s".formatted(name, figure)
                : "%s: no drift: %s".formatted(name, figure);
    }

    private static String time(double days) {
        if (days >= 2) {
            return number(days) + " days";
        }
        var hours = days * HOURS_PER_DAY;
        return hours >= 2 ? number(hours) + " hours" : number(hours * 60) + " minutes";
    }

    private static String percent(double share) {
        return number(share * 100);
    }

    private static String number(double value) {
        var size = Math.abs(value);
        var form = size >= 10 ? "%,.0f" : size >= 0.1 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, form, value);
    }
}
