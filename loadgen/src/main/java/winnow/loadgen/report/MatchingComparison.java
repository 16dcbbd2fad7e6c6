package winnow.loadgen.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.model.FitQuality;
import winnow.loadgen.model.Interval;
import winnow.loadgen.model.ServiceTimeFit;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.Run;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.PointUse;

/// One kind of filter, matched one by one and by the index, both with a model. Immutable.
record MatchingComparison(String filter, RunAnalysis linear, RunAnalysis indexed) {

    static final String LINEAR = "linear";
    static final String INDEXED = "indexed";

    /// A line of the table: what it is, and its value each way.
    ///
    /// @param linear with its interval
    /// @param indexed the same
    /// @param paper of FioranoMQ; a dash where it has none
    record Row(String symbol, String meaning, String linear, String indexed, String paper) {}

    /// Of each kind of filter that was measured in both ways, under the same conditions, and has
    /// both models.
    static List<MatchingComparison> of(List<RunAnalysis> analyses) {
        var comparisons = new ArrayList<MatchingComparison>();
        for (var filter : filters(analyses)) {
            var linear = matched(analyses, LINEAR, filter);
            var indexed = matched(analyses, INDEXED, filter);
            if (linear.isPresent()
                    && indexed.isPresent()
                    && differences(linear.get().run(), indexed.get().run()).isEmpty()
                    && linear.get().fit() != null
                    && indexed.get().fit() != null) {
                comparisons.add(new MatchingComparison(filter, linear.get(), indexed.get()));
            }
        }
        return List.copyOf(comparisons);
    }

    static List<String> filters(List<RunAnalysis> analyses) {
        return analyses.stream()
                .map(analysis -> analysis.run().header().filter())
                .distinct()
                .toList();
    }

    /// In what two runs differ that their times depend on, beside the matching: `body bytes (0 and
    /// 100)`. Empty if they can be compared.
    static List<String> differences(Run one, Run other) {
        var differences = new ArrayList<String>();
        var those = conditions(other);
        conditions(one)
                .forEach((name, value) -> {
                    if (!value.equals(those.get(name))) {
                        differences.add("%s (%s and %s)".formatted(name, value, those.get(name)));
                    }
                });
        return differences;
    }

    private static Map<String, Object> conditions(Run run) {
        var header = run.header();
        var settings = header.settings();
        var machine = header.machine();
        var conditions = new LinkedHashMap<String, Object>();
        conditions.put("body bytes", bodies(run));
        conditions.put("delivery", settings.delivery().label());
        conditions.put("completion listeners", settings.async());
        conditions.put("messages", settings.messages());
        conditions.put("copies in flight", settings.maxInFlight());
        conditions.put("copies in flight to each", settings.maxInFlightPerSubscriber());
        conditions.put("provider", header.provider());
        conditions.put("worker processes", header.workers());
        conditions.put("broker on the machine of the load", header.sharedMachine());
        conditions.put("broker CPU time", run.brokerCpuKnown() ? "known" : "unknown");
        conditions.put("processor", machine.processor());
        conditions.put("processors", machine.processors());
        conditions.put("system", machine.system());
        conditions.put("JVM", machine.jvm());
        return conditions;
    }

    private static String bodies(Run run) {
        return run.measurements().stream()
                .map(one -> one.point().bodyBytes())
                .distinct()
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }

    /// True if filters were to be matched in both ways, though it is not known that they were: some
    /// kind of filter was, or there are several runs with these, and one does not say how it
    /// matched them.
    static boolean isIntended(List<RunAnalysis> analyses, String filter) {
        if (filter.equals(FilterKind.NONE.label())) {
            return false;
        }
        var ways = new ArrayList<@Nullable String>();
        var own = new ArrayList<@Nullable String>();
        for (var analysis : analyses) {
            ways.add(analysis.run().matching());
            if (analysis.run().header().filter().equals(filter)) {
                own.add(analysis.run().matching());
            }
        }
        return (ways.contains(LINEAR) && ways.contains(INDEXED))
                || (own.size() > 1 && own.contains(null));
    }

    /// The last run with this filter that was matched in this way and is complete; if none is, the
    /// last one.
    static Optional<RunAnalysis> matched(
            List<RunAnalysis> analyses, String matching, String filter) {
        return analyses.stream()
                .filter(analysis -> matching.equals(analysis.run().matching()))
                .filter(analysis -> analysis.run().header().filter().equals(filter))
                .reduce((earlier, later) ->
                        later.run().isComplete() || !earlier.run().isComplete() ? later : earlier);
    }

    /// True if a run is one of the two.
    boolean contains(RunAnalysis analysis) {
        return analysis.equals(linear) || analysis.equals(indexed);
    }

    /// The parameters, then what a broker processor can do by them.
    List<Row> rows() {
        var paper = linear.paper();
        return List.of(
                new Row(
                        "t_rcv",
                        "receive one message",
                        time(linear, ServiceTimes::receiveSeconds, FitQuality::receive),
                        time(indexed, ServiceTimes::receiveSeconds, FitQuality::receive),
                        paper == null ? "–" : TimeText.of(paper.receiveSeconds())),
                new Row(
                        "t_fltr",
                        "try one installed filter",
                        time(linear, ServiceTimes::filterSeconds, FitQuality::filter),
                        time(indexed, ServiceTimes::filterSeconds, FitQuality::filter),
                        paper == null ? "–" : TimeText.of(paper.filterSeconds())),
                new Row(
                        "t_tx",
                        "forward one copy",
                        time(linear, ServiceTimes::transmitSeconds, FitQuality::transmit),
                        time(indexed, ServiceTimes::transmitSeconds, FitQuality::transmit),
                        paper == null ? "–" : TimeText.of(paper.transmitSeconds())),
                new Row(
                        "capacity",
                        "per broker CPU, %,d filters, r = 1".formatted(mostFilters()),
                        capacity(linear),
                        capacity(indexed),
                        paper == null
                                ? "–"
                                : ReportText.rate(paper.overallPerSecond(mostFilters(), 1))));
    }

    private static String time(
            RunAnalysis analysis,
            ToDoubleFunction<ServiceTimes> value,
            Function<FitQuality, @Nullable Interval> range) {
        var quality = fit(analysis).quality();
        return ReportText.fittedRange(
                value.applyAsDouble(fit(analysis).times()),
                quality == null ? null : range.apply(quality));
    }

    private String capacity(RunAnalysis analysis) {
        var rate = ReportText.rate(fit(analysis).times().overallPerSecond(mostFilters(), 1));
        return analysis.serviceSeconds(mostFilters(), 1)
                .map(seconds ->
                        "%s (%s)"
                                .formatted(
                                        rate,
                                        ReportText.rates(2 / seconds.high(), 2 / seconds.low())))
                .orElse(rate);
    }

    /// With one matching subscriber.
    private int mostFilters() {
        return 1
                + linear.run().measurements().stream()
                        .map(one -> one.point())
                        .filter(point -> point.matching() > 0 && point.use() == PointUse.FIT)
                        .mapToInt(Point::others)
                        .max()
                        .orElse(0);
    }

    private static ServiceTimeFit fit(RunAnalysis analysis) {
        return Objects.requireNonNull(analysis.fit());
    }

    /// For both ways, how well the model holds.
    List<String> qualities() {
        return List.of(
                LINEAR + ": " + quality(linear.fit(), linear),
                INDEXED + ": " + quality(indexed.fit(), indexed));
    }

    private static String quality(@Nullable ServiceTimeFit fit, RunAnalysis analysis) {
        var quality = Objects.requireNonNull(fit).quality();
        return quality == null
                ? "too few points (%d) for intervals".formatted(fit.observations())
                : ReportText.quality(quality, analysis);
    }
}
