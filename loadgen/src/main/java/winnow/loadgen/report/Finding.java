package winnow.loadgen.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.model.FitQuality;
import winnow.loadgen.model.Interval;
import winnow.loadgen.model.Observation;
import winnow.loadgen.model.Prediction;
import winnow.loadgen.run.Accounting;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.Verdict;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.PointUse;

/// Conclusions, in sentences that follow from the measured points. Immutable.
///
/// @param gains what the index brings, with an interval: one sentence for each kind of filter that
///   was matched in both ways
/// @param latency how long messages take under a light load; empty if that was not measured
/// @param disturbance how much others have widened the intervals
/// @param delivery whether everything arrived once
/// @param validity how many measurements count, and why others do not
public record Finding(
        List<String> gains, String latency, String disturbance, String delivery, String validity) {

    /// Of log B of a point that no model is sure of: it may well be wrong by a fifth.
    private static final double UNKNOWN_ERROR = 0.2;

    /// Of log B, however well repetitions agree: what they have in common is not seen.
    private static final double LEAST_ERROR = 0.01;

    /// Of all runs together.
    public static Finding of(List<RunAnalysis> analyses, @Nullable LightLoad light) {
        var runs = analyses.stream().map(RunAnalysis::run).toList();
        return new Finding(
                gains(analyses),
                light == null ? "" : light.sentence(),
                disturbance(analyses),
                delivery(runs),
                validity(runs));
    }

    /// All sentences, a line each.
    public String text() {
        var lines = new ArrayList<>(gains);
        lines.addAll(List.of(latency, disturbance, delivery, validity));
        lines.removeIf(String::isEmpty);
        return String.join("%n".formatted(), lines) + "%n".formatted();
    }

    /// The same load matched linearly and by the index.
    ///
    /// @param linear B when each filter is tested
    /// @param indexed B with the index
    /// @param perCpu whether these are times of a broker CPU
    record Gain(Point point, Prediction linear, Prediction indexed, boolean perCpu) {

        /// Factor by which the rate of the index is higher.
        double times() {
            return linear.serviceSeconds() / indexed.serviceSeconds();
        }

        Interval interval() {
            return linear.timesOf(indexed);
        }

        private double rate(Prediction prediction) {
            return (point.matching() + 1) / prediction.serviceSeconds();
        }

        String sentence() {
            var unit = perCpu ? "the throughput per CPU" : "the throughput";
            var copies = point.matching();
            var load =
                    "With %,d %s filters and %,d %s of each message"
                            .formatted(
                                    point.installedFilters(),
                                    point.filter(),
                                    copies,
                                    copies == 1 ? "copy" : "copies");
            var rates =
                    "%s instead of %s messages/s"
                            .formatted(rounded(rate(indexed)), rounded(rate(linear)));
            var interval = interval();
            var range =
                    interval.low() > 0 && interval.isTelling()
                            ? "(%s to %s with 95 %% confidence)"
                                    .formatted(factor(interval.low()), factor(interval.high()))
                            : "(range not determined)";
            return !(interval.low() > 1 || interval.high() < 1)
                    ? "%s no gain by the index is certain: %s times %s %s: %s."
                            .formatted(load, factor(times()), unit, range, rates)
                    : "%s the index gives %s times %s %s: %s."
                            .formatted(load, factor(times()), unit, range, rates);
        }
    }

    private static List<String> gains(List<RunAnalysis> analyses) {
        return MatchingComparison.filters(analyses).stream()
                .flatMap(filter -> gain(analyses, filter).stream())
                .toList();
    }

    /// Empty if a comparison was not intended.
    private static Optional<String> gain(List<RunAnalysis> analyses, String filter) {
        var linear = MatchingComparison.matched(analyses, MatchingComparison.LINEAR, filter);
        var indexed = MatchingComparison.matched(analyses, MatchingComparison.INDEXED, filter);
        if (linear.isPresent() && indexed.isPresent()) {
            var differences =
                    MatchingComparison.differences(linear.get().run(), indexed.get().run());
            if (!differences.isEmpty()) {
                return Optional.of(
                        "Nothing can be said of %s filters: the runs differ in %s."
                                .formatted(filter, String.join(", ", differences)));
            }
            return Optional.of(
                    gain(linear.get(), indexed.get())
                            .map(Gain::sentence)
                            .orElse(
                                    "Nothing can be said of %s filters: no load was measured well"
                                                    .formatted(filter)
                                            + " enough in both ways."));
        }
        var missing =
                linear.isPresent()
                        ? "by the index"
                        : indexed.isPresent() ? "linearly" : "either way";
        return MatchingComparison.isIntended(analyses, filter)
                ? Optional.of(
                        "Nothing can be said of %s filters: no point is known to be matched %s."
                                .formatted(filter, missing))
                : Optional.empty();
    }

    /// At the most filters that were measured in both ways, and there with the fewest copies.
    static Optional<Gain> gain(RunAnalysis linear, RunAnalysis indexed) {
        var ofLinear = RunAnalysis.observations(linear.run(), PointUse.FIT);
        var ofIndexed = RunAnalysis.observations(indexed.run(), PointUse.FIT);
        var perCpu = linear.run().brokerCpuKnown();
        var gains = new ArrayList<Gain>();
        ofLinear.forEach((point, slow) -> {
            var fast = ofIndexed.get(point);
            if (fast != null && point.matching() > 0) {
                gains.add(new Gain(point, around(linear, slow), around(indexed, fast), perCpu));
            }
        });
        return gains.stream()
                .max(
                        Comparator.comparingInt((Gain gain) -> gain.point().unmatchedFilters())
                                .thenComparing(
                                        gain -> gain.point().matching(), Comparator.reverseOrder())
                                .thenComparing(gain -> gain.point().label()));
    }

    /// The measured B of a point, as sure as the model's points are around it or, without a model,
    /// as its repetitions agree.
    private static Prediction around(RunAnalysis analysis, Observation point) {
        var fit = analysis.fit();
        var predicted = fit == null ? repeated(point) : fit.predict(point);
        return new Prediction(
                point.serviceSeconds(),
                predicted.map(Prediction::logError).orElse(UNKNOWN_ERROR),
                predicted.map(Prediction::degreesOfFreedom).orElse(1.0));
    }

    /// Empty if it was measured once.
    private static Optional<Prediction> repeated(Observation point) {
        var logs =
                point.readings().stream()
                        .mapToDouble(reading -> Math.log(reading.serviceSeconds()))
                        .toArray();
        if (logs.length < 2) {
            return Optional.empty();
        }
        var error = Estimate.deviation(logs) / Math.sqrt(logs.length);
        return Optional.of(
                new Prediction(
                        point.serviceSeconds(), Math.max(LEAST_ERROR, error), logs.length - 1.0));
    }

    /// 8903731 as `8,900,000`: no run is exact to more than three digits.
    private static String rounded(double rate) {
        var digits = BigDecimal.valueOf(rate).round(new MathContext(3));
        return String.format(Locale.ROOT, "%,.0f", digits);
    }

    private static String factor(double times) {
        return String.format(Locale.ROOT, times < 10 ? "%.1f" : "%,.0f", times);
    }

    /// Empty without a model or a calibrator.
    private static String disturbance(List<RunAnalysis> analyses) {
        var widening =
                analyses.stream()
                        .map(RunAnalysis::fit)
                        .filter(Objects::nonNull)
                        .map(fit -> fit.quality())
                        .filter(Objects::nonNull)
                        .mapToDouble(FitQuality::widening)
                        .max();
        var slower =
                analyses.stream()
                        .map(RunAnalysis::run)
                        .flatMapToDouble(run -> run.medianSlowdown().stream())
                        .max();
        if (widening.isEmpty() || slower.isEmpty()) {
            return "";
        }
        var percent = Math.round((widening.getAsDouble() - 1) * 100);
        var worth = Math.round(100 * (1 - 1 / (1 + slower.getAsDouble())));
        return ("Disturbances have widened the intervals by %s; a CPU second was worth %d %% less"
                        + " in the median of the worst run than in its calmest tenth, which the"
                        + " lower ends of times allow for.")
                .formatted(percent < 1 ? "nothing" : "up to %d %%".formatted(percent), worth);
    }

    private static String delivery(List<Run> runs) {
        var accounts =
                runs.stream()
                        .flatMap(run -> run.measurements().stream())
                        .map(Measurement::accounting)
                        .toList();
        if (accounts.isEmpty()) {
            return "Nothing is known of lost or doubled copies: no point gave figures.";
        }
        var wrong = new ArrayList<String>();
        note(wrong, "%,d copies were lost", accounts, Accounting::lost);
        note(wrong, "%,d copies were doubled", accounts, Accounting::doubled);
        note(
                wrong,
                "%,d subscribers got other messages than were due",
                accounts,
                Accounting::mistaken);
        note(wrong, "%,d copies came out of sequence", accounts, Accounting::outOfSequence);
        var points = runs.stream().mapToInt(Run::slots).sum();
        var known = points - runs.stream().mapToInt(run -> run.withoutFigures().size()).sum();
        return (wrong.isEmpty() ? "Nothing was lost or doubled" : enumerated(wrong))
                + (known == points
                        ? "."
                        : " in the %d of %d points that gave figures.".formatted(known, points));
    }

    private static void note(
            List<String> wrong,
            String form,
            List<Accounting> accounts,
            ToLongFunction<Accounting> count) {
        var sum = accounts.stream().mapToLong(count).sum();
        if (sum > 0) {
            wrong.add(form.formatted(sum));
        }
    }

    /// `a`, `a and b`, `a, b and c`.
    private static String enumerated(List<String> parts) {
        var last = parts.getLast();
        return parts.size() == 1
                ? last
                : String.join(", ", parts.subList(0, parts.size() - 1)) + " and " + last;
    }

    private static String validity(List<Run> runs) {
        var slots = runs.stream().mapToInt(Run::slots).sum();
        var valid = runs.stream().mapToInt(run -> run.valid().size()).sum();
        var failed = runs.stream().mapToInt(Run::failedPoints).sum();
        var again = runs.stream().mapToInt(run -> run.replaced().size()).sum();
        var disturbed =
                runs.stream()
                        .flatMap(run ->
                                run.valid().stream().filter(one -> run.validity(one).isDisturbed()))
                        .count();
        var counts =
                valid == slots
                        ? slots == 1
                                ? "The only measurement counts"
                                : "All %d measurements count".formatted(slots)
                        : "%d of %d measurements count; left out: %s"
                                .formatted(valid, slots, leftOut(slots - valid - failed, failed));
        return counts
                + (again == 0
                        ? "."
                        : "; %d %s disturbed and made again."
                                .formatted(again, again == 1 ? "was" : "were"))
                + (valid > 0 && disturbed == valid
                        ? " %d of %d disturbed: other programs used the machine."
                                .formatted(disturbed, valid)
                        : "")
                + runs.stream()
                        .filter(run -> !run.isComplete())
                        .map(Finding::stopped)
                        .collect(Collectors.joining());
    }

    private static String stopped(Run run) {
        return " The run of %s was stopped after %d of %d."
                .formatted(run.name(), run.slots(), run.header().plannedPoints());
    }

    private static String leftOut(int unusable, int failed) {
        var reasons = new ArrayList<String>();
        if (unusable > 0) {
            reasons.add("%d not saturated or too disturbed".formatted(unusable));
        }
        if (failed > 0) {
            reasons.add("%d %s".formatted(failed, Verdict.Status.FAILED.label()));
        }
        return String.join(", ", reasons);
    }
}
