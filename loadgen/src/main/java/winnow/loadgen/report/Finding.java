package winnow.loadgen.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Run;
import winnow.loadgen.workload.Point;

/// What came out, in sentences that follow from the measured points: what the index brings, what
/// was lost, and how many points may be used. Immutable.
///
/// @param gains one sentence for each kind of filter that was matched in both ways; if most points
///   were disturbed, only one that says that nothing follows from the others
/// @param delivery whether everything arrived once
/// @param validity how many points count, and why others do not
public record Finding(List<String> gains, String delivery, String validity) {

    private static final String LINEAR = "linear";
    private static final String INDEXED = "indexed";

    /// Of all runs together.
    public static Finding of(List<RunAnalysis> analyses) {
        var runs = analyses.stream().map(RunAnalysis::run).toList();
        var gains = isTooDisturbed(runs) ? List.of(tooDisturbed(runs)) : gains(runs);
        return new Finding(gains, delivery(runs), validity(runs));
    }

    /// Whether more than half of the points were disturbed, so that nothing follows from the
    /// others.
    private static boolean isTooDisturbed(List<Run> runs) {
        return 2 * disturbed(runs) > points(runs);
    }

    /// How many points may be used where [#isTooDisturbed], and what to do.
    private static String tooDisturbed(List<Run> runs) {
        return ("Too disturbed to conclude anything: %d of %d points are valid. Run it again on a"
                        + " quiet machine.")
                .formatted(valid(runs), points(runs));
    }

    /// All sentences, a line each.
    public String text() {
        var lines = new ArrayList<>(gains);
        lines.add(delivery);
        lines.add(validity);
        return String.join("%n".formatted(), lines) + "%n".formatted();
    }

    /// The same load matched linearly and by the index.
    ///
    /// @param perCpu whether the rates are those of a fully loaded broker CPU
    record Gain(Point point, double linearPerSecond, double indexedPerSecond, boolean perCpu) {
        /// How much higher the rate of the index is.
        double times() {
            return indexedPerSecond / linearPerSecond;
        }
    }

    private static List<String> gains(List<Run> runs) {
        var sentences = new ArrayList<String>();
        for (var filter : runs.stream().map(run -> run.header().filter()).distinct().toList()) {
            var linear = matched(runs, LINEAR, filter.label());
            var indexed = matched(runs, INDEXED, filter.label());
            gain(linear, indexed)
                    .map(gain -> sentence(filter.label(), gain))
                    .ifPresent(sentences::add);
        }
        return List.copyOf(sentences);
    }

    private static List<Run> matched(List<Run> runs, String matching, String filter) {
        return runs.stream()
                .filter(run -> matching.equals(run.matching()))
                .filter(run -> run.header().filter().label().equals(filter))
                .toList();
    }

    /// At the most filters that were measured in both ways, and there with the fewest copies.
    static Optional<Gain> gain(List<Run> linear, List<Run> indexed) {
        return validPoints(linear)
                .filter(point ->
                        point.matching() > 0 && validPoints(indexed).anyMatch(point::equals))
                .max(
                        Comparator.comparingInt(Point::others)
                                .thenComparing(Point::matching, Comparator.reverseOrder()))
                .map(point ->
                        new Gain(
                                point,
                                rate(linear, point),
                                rate(indexed, point),
                                runsKnowCpu(linear) && runsKnowCpu(indexed)));
    }

    private static boolean runsKnowCpu(List<Run> runs) {
        return runs.stream().allMatch(Run::brokerCpuKnown);
    }

    private static Stream<Point> validPoints(List<Run> runs) {
        return runs.stream().flatMap(run -> run.valid().stream()).map(Measurement::point);
    }

    private static double rate(List<Run> runs, Point point) {
        var rates =
                runs.stream()
                        .flatMap(run -> run.valid().stream())
                        .filter(measured -> measured.point().equals(point))
                        .mapToDouble(Measurement::saturatedPerSecond)
                        .sorted()
                        .toArray();
        return rates[rates.length / 2];
    }

    private static String sentence(String filter, Gain gain) {
        var unit = gain.perCpu() ? "the throughput per CPU" : "the throughput";
        var filters = gain.point().installedFilters();
        var rates =
                "%s instead of %s messages/s"
                        .formatted(
                                rounded(gain.indexedPerSecond()), rounded(gain.linearPerSecond()));
        var copies = gain.point().matching();
        var load =
                "With %,d %s filters and %,d %s of each message"
                        .formatted(filters, filter, copies, copies == 1 ? "copy" : "copies");
        return gain.times() < 1.05
                ? "%s the index does not raise %s: %s.".formatted(load, unit, rates)
                : "%s the index gives %s times %s: %s."
                        .formatted(load, times(gain.times()), unit, rates);
    }

    /// 8903731 as `8,900,000`: no run is exact to more than three digits.
    private static String rounded(double rate) {
        var digits = BigDecimal.valueOf(rate).round(new MathContext(3));
        return String.format(Locale.ROOT, "%,.0f", digits);
    }

    private static String times(double times) {
        return String.format(Locale.ROOT, times < 10 ? "%.1f" : "%,.0f", times);
    }

    private static String delivery(List<Run> runs) {
        var lost = 0L;
        var doubled = 0L;
        for (var run : runs) {
            for (var measurement : run.measurements()) {
                lost += measurement.accounting().lost();
                doubled += measurement.accounting().doubled();
            }
        }
        return lost == 0 && doubled == 0
                ? "Nothing was lost or doubled."
                : "%,d copies were lost and %,d doubled.".formatted(lost, doubled);
    }

    private static String validity(List<Run> runs) {
        var points = points(runs);
        var valid = valid(runs);
        return valid == points
                ? "All %d points are valid.".formatted(points)
                : "%d of %d points are valid; %d were disturbed and %d failed, and are left out."
                        .formatted(valid, points, disturbed(runs), failed(runs));
    }

    private static int points(List<Run> runs) {
        return runs.stream().mapToInt(Run::points).sum();
    }

    private static int valid(List<Run> runs) {
        return runs.stream().mapToInt(run -> run.valid().size()).sum();
    }

    private static int failed(List<Run> runs) {
        return runs.stream().mapToInt(Run::failedPoints).sum();
    }

    private static int disturbed(List<Run> runs) {
        return points(runs) - valid(runs) - failed(runs);
    }
}
