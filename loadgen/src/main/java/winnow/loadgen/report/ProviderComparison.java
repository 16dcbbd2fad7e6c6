package winnow.loadgen.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.RunHeader;
import winnow.loadgen.run.Verdict;
import winnow.loadgen.workload.Point;

/// Rates and CPU times of several providers, and their ratios to the first one. Immutable.
///
/// Rates are of the clock: what a user of this machine gets. So a point counts though nothing was
/// saturated; one with lost or doubled messages does not.
///
/// @param providers the first is what the others are compared with
/// @param scenarios in the order in which they were measured
public record ProviderComparison(List<ComparedProvider> providers, List<ScenarioRatios> scenarios) {

    private static final double CONFIDENCE = 0.95;

    public ProviderComparison {
        providers = List.copyOf(providers);
        scenarios = List.copyOf(scenarios);
    }

    /// One scenario.
    ///
    /// @param means over all points, of each provider but the first
    public record ScenarioRatios(
            String scenario, String title, List<PointRatios> points, List<MeanRatios> means) {}

    /// One point of a scenario, with every provider that has it.
    public record PointRatios(Point point, List<ProviderRatios> providers) {}

    /// One provider at one point. Ratios are null of the first provider, CPU times where they are
    /// unknown.
    ///
    /// @param overallPerSecond received and dispatched messages, with a 95 % interval; null without
    ///   a measurement that counts
    /// @param brokerMicrosPerMessage CPU time of the broker
    /// @param rateRatio to the first provider, more is better
    /// @param cpuRatio to the first provider, less is better
    /// @param note why it has no figures, or what they are not; may be empty
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ProviderRatios(
            String provider,
            @Nullable Estimate overallPerSecond,
            @Nullable Estimate brokerMicrosPerMessage,
            @Nullable PairedRatio rateRatio,
            @Nullable PairedRatio cpuRatio,
            String note) {}

    /// Geometric means over the points of a scenario.
    ///
    /// @param points that are in the mean of the rates
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record MeanRatios(
            String provider,
            @Nullable PairedRatio rateRatio,
            @Nullable PairedRatio cpuRatio,
            int points) {}

    /// Compares what was measured so far.
    public static ProviderComparison of(List<ComparedProvider> providers) {
        var headers = new LinkedHashMap<String, RunHeader>();
        for (var provider : providers) {
            provider.runs()
                    .forEach(run -> headers.putIfAbsent(run.header().scenario(), run.header()));
        }
        var scenarios =
                headers.values().stream()
                        .map(header -> new Side(providers, header).ratios())
                        .toList();
        return new ProviderComparison(providers, scenarios);
    }

    /// The run of a provider.
    static Optional<Run> run(ComparedProvider provider, String scenario) {
        return provider.runs().stream()
                .filter(run -> run.header().scenario().equals(scenario))
                .findFirst();
    }

    /// The providers at one scenario.
    private record Side(List<ComparedProvider> providers, RunHeader header) {

        ScenarioRatios ratios() {
            var points = new LinkedHashSet<Point>();
            for (var provider : providers) {
                run(provider)
                        .ifPresent(run -> {
                            run.measurements().forEach(one -> points.add(one.point()));
                            run.failures().forEach(one -> points.add(one.point()));
                        });
            }
            var figure = header.figure().apart(points);
            var ordered =
                    points.stream()
                            .sorted(
                                    Comparator.comparing(figure::seriesOf)
                                            .thenComparingInt(figure.across()::of))
                            .toList();
            return new ScenarioRatios(
                    header.scenario(),
                    header.title(),
                    ordered.stream().map(this::ratios).toList(),
                    providers.stream().skip(1).map(one -> means(one, ordered)).toList());
        }

        private Optional<Run> run(ComparedProvider provider) {
            return ProviderComparison.run(provider, header.scenario());
        }

        /// Not a number if unknown.
        private static double micros(Measurement measurement) {
            return measurement.brokerMicrosPerMessage().orElse(Double.NaN);
        }

        private PointRatios ratios(Point point) {
            return new PointRatios(
                    point, providers.stream().map(one -> ratios(one, point)).toList());
        }

        private ProviderRatios ratios(ComparedProvider provider, Point point) {
            var isFirst = provider.equals(providers.getFirst());
            return new ProviderRatios(
                    provider.name(),
                    estimate(values(provider, point, Measurement::overallPerSecond)),
                    estimate(values(provider, point, Side::micros)),
                    isFirst ? null : ratio(provider, point, Measurement::overallPerSecond),
                    isFirst ? null : ratio(provider, point, Side::micros),
                    note(provider, point));
        }

        /// By repetition, as far as they are known.
        private Map<Integer, Double> values(
                ComparedProvider provider, Point point, ToDoubleFunction<Measurement> figure) {
            var values = new TreeMap<Integer, Double>();
            run(provider)
                    .ifPresent(run -> {
                        for (var one : run.measurements()) {
                            var value = figure.applyAsDouble(one);
                            if (one.point().equals(point)
                                    && run.verdict(one).status() != Verdict.Status.FAILED
                                    && value > 0
                                    && Double.isFinite(value)) {
                                values.put(one.repetition(), value);
                            }
                        }
                    });
            return values;
        }

        private static @Nullable Estimate estimate(Map<Integer, Double> values) {
            return values.isEmpty()
                    ? null
                    : Estimate.of(
                            values.values().stream().mapToDouble(Double::doubleValue).toArray(),
                            CONFIDENCE);
        }

        /// Logarithms of the ratios, by repetition.
        private Map<Integer, Double> logs(
                ComparedProvider provider, Point point, ToDoubleFunction<Measurement> figure) {
            var first = values(providers.getFirst(), point, figure);
            var logs = new TreeMap<Integer, Double>();
            values(provider, point, figure)
                    .forEach((repetition, value) -> {
                        var other = first.get(repetition);
                        if (other != null) {
                            logs.put(repetition, Math.log(value / other));
                        }
                    });
            return logs;
        }

        private @Nullable PairedRatio ratio(
                ComparedProvider provider, Point point, ToDoubleFunction<Measurement> figure) {
            var logs = logs(provider, point, figure);
            return logs.isEmpty() ? null : PairedRatio.of(List.copyOf(logs.values()));
        }

        private MeanRatios means(ComparedProvider provider, List<Point> points) {
            var rates = complete(provider, points, Measurement::overallPerSecond);
            return new MeanRatios(
                    provider.name(),
                    mean(rates),
                    mean(complete(provider, points, Side::micros)),
                    rates.size());
        }

        /// The points with as many repetitions as any: each repetition has the same points then.
        private List<Map<Integer, Double>> complete(
                ComparedProvider provider,
                List<Point> points,
                ToDoubleFunction<Measurement> figure) {
            var all = points.stream().map(point -> logs(provider, point, figure)).toList();
            var most = all.stream().mapToInt(Map::size).max().orElse(0);
            return all.stream().filter(logs -> !logs.isEmpty() && logs.size() == most).toList();
        }

        private static @Nullable PairedRatio mean(List<Map<Integer, Double>> points) {
            if (points.isEmpty()) {
                return null;
            }
            var byRepetition = new TreeMap<Integer, List<Double>>();
            for (var point : points) {
                point.forEach((repetition, log) ->
                        byRepetition.computeIfAbsent(repetition, _ -> new ArrayList<>()).add(log));
            }
            return PairedRatio.of(
                    byRepetition.values().stream()
                            .map(logs ->
                                    logs.stream().mapToDouble(it -> it).average().orElseThrow())
                            .toList());
        }

        private String note(ComparedProvider provider, Point point) {
            var run = run(provider).orElse(null);
            if (run == null) {
                return "not measured";
            }
            var notes = new LinkedHashMap<String, Long>();
            run.failures().stream()
                    .filter(one -> one.point().equals(point))
                    .forEach(one -> notes.merge(shortened(one.reason()), 1L, Long::sum));
            run.measurements().stream()
                    .filter(one -> one.point().equals(point))
                    .map(run::verdict)
                    .filter(verdict -> !verdict.isValid())
                    .forEach(verdict ->
                            notes.merge(shortened(verdict.reasons().getFirst()), 1L, Long::sum));
            return notes.entrySet().stream()
                    .map(note ->
                            (note.getValue() > 1 ? note.getValue() + " times " : "")
                                    + note.getKey())
                    .collect(Collectors.joining("; "));
        }

        /// The part before the explanation.
        private static String shortened(String reason) {
            return isUnsupported(reason) ? UNSUPPORTED : reason.replaceFirst(": expected .*", "");
        }
    }

    private static final String UNSUPPORTED = "the provider does not support it";

    /// True if a provider says that it cannot do what was asked.
    public static boolean isUnsupported(String reason) {
        return reason.contains("UnsupportedOperationException");
    }
}
