package winnow.loadgen.ageing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.BrokerUsage;
import winnow.loadgen.model.Interval;
import winnow.loadgen.report.Estimate;
import winnow.loadgen.report.RunAnalysis;
import winnow.loadgen.run.Measurement;

/// Figures of one look at the broker: the rate of all points and the model fitted to them.
/// Immutable.
///
/// @param number 1 for the first
/// @param at when it began, ISO 8601, UTC
/// @param throughput received and dispatched messages per second; null if a point is missing
/// @param receive t_rcv in seconds; null if a point is missing
/// @param filter t_fltr in seconds; null if a point is missing
/// @param transmit t_tx in seconds; null if a point is missing
/// @param machineMicros CPU time that a fixed piece of work took on this machine meanwhile, in
///   microseconds; null where it was not measured
/// @param broker the process of the broker
/// @param problems failed points, lost messages and the like, since the round before
public record AgeingRound(
        int number,
        String at,
        @Nullable RoundValue throughput,
        @Nullable RoundValue receive,
        @Nullable RoundValue filter,
        @Nullable RoundValue transmit,
        @Nullable Double machineMicros,
        BrokerUsage broker,
        List<String> problems) {

    private static final double CONFIDENCE = 0.95;

    /// One that is read is of this version.
    public AgeingRound {
        if (broker == null || problems == null) {
            throw new IllegalArgumentException("found a round of another version");
        }
        // A fault that repeats would fill the file.
        problems = problems.stream().distinct().limit(5).toList();
        Instant.parse(at);
    }

    /// A value of one round, and its interval with 95 % confidence by this round alone.
    ///
    /// @param low lower end; null if the round says none
    /// @param high upper end; null likewise
    record RoundValue(double value, @Nullable Double low, @Nullable Double high) {

        /// JSON has no infinity: an interval without an end is none.
        static RoundValue of(double value, @Nullable Interval interval) {
            return interval == null || !Double.isFinite(interval.high())
                    ? new RoundValue(value, null, null)
                    : new RoundValue(value, interval.low(), interval.high());
        }
    }

    /// A round whose points are measured.
    ///
    /// @param points number of points
    /// @param before problems since the last round
    public static AgeingRound of(
            int number,
            Instant at,
            RunAnalysis analysis,
            int points,
            BrokerUsage broker,
            List<String> before) {
        var run = analysis.run();
        var problems = new ArrayList<>(before);
        problems.addAll(run.leftOut());
        var valid = run.valid();
        var complete = valid.stream().map(Measurement::point).distinct().count() == points;
        var fit = complete ? analysis.fit() : null;
        var quality = fit == null ? null : fit.quality();
        return new AgeingRound(
                number,
                at.toString(),
                complete ? throughput(valid, points) : null,
                fit == null
                        ? null
                        : RoundValue.of(
                                fit.times().receiveSeconds(),
                                quality == null ? null : quality.receive()),
                fit == null
                        ? null
                        : RoundValue.of(
                                fit.times().filterSeconds(),
                                quality == null ? null : quality.filter()),
                fit == null
                        ? null
                        : RoundValue.of(
                                fit.times().transmitSeconds(),
                                quality == null ? null : quality.transmit()),
                machineMicros(run.measurements()),
                broker,
                problems);
    }

    /// Geometric mean over all points, with the interval that repetitions of all of them give.
    private static RoundValue throughput(List<Measurement> valid, int points) {
        Map<Integer, List<Measurement>> repetitions =
                valid.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Measurement::repetition,
                                        TreeMap::new,
                                        Collectors.toList()));
        var logs =
                repetitions.values().stream()
                        .filter(one -> one.size() == points)
                        .mapToDouble(AgeingRound::meanLog)
                        .toArray();
        if (logs.length < 2) {
            return RoundValue.of(Math.exp(meanLog(valid)), null);
        }
        var mean = Estimate.of(logs, CONFIDENCE);
        return RoundValue.of(
                Math.exp(mean.mean()), new Interval(Math.exp(mean.low()), Math.exp(mean.high())));
    }

    /// Mean over the points of what they have in the mean.
    private static double meanLog(List<Measurement> measurements) {
        return measurements.stream()
                .collect(
                        Collectors.groupingBy(
                                Measurement::point,
                                Collectors.averagingDouble(
                                        one -> Math.log(one.overallPerSecond()))))
                .values()
                .stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElseThrow();
    }

    /// Median of what the work took before and after the points.
    private static @Nullable Double machineMicros(List<Measurement> measurements) {
        var micros =
                measurements.stream()
                        .flatMap(one -> Stream.ofNullable(one.conditions().calibrationBefore()))
                        .sorted(Comparator.naturalOrder())
                        .toList();
        return micros.isEmpty() ? null : micros.get(micros.size() / 2);
    }

    Instant time() {
        return Instant.parse(at);
    }
}
