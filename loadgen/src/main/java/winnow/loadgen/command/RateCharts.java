package winnow.loadgen.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;
import winnow.loadgen.rate.LatencyAim;
import winnow.loadgen.rate.LatencyFigures;
import winnow.loadgen.rate.RateResult;

/// Drawings of runs at a rate.
final class RateCharts {

    private static final int P50_STYLE = 3;
    private static final int P99_STYLE = 1;
    private static final int P999_STYLE = 5;

    /// Each percentile by the number of messages of which one takes longer.
    private static final Map<Integer, ToDoubleFunction<LatencyFigures>> PERCENTILES =
            new TreeMap<>(
                    Map.of(
                            2, LatencyFigures::p50Micros,
                            10, LatencyFigures::p90Micros,
                            100, LatencyFigures::p99Micros,
                            1_000, LatencyFigures::p999Micros,
                            10_000, LatencyFigures::p9999Micros));

    private RateCharts() {}

    /// Latency over the share of messages that take longer.
    static Chart percentiles(RateResult result) {
        return new Chart(
                "Latency at %,.0f messages a second".formatted(result.ratePerSecond()),
                "The latency that one message out of so many exceeds.",
                "one message out of",
                "takes at least, ms",
                List.of(percentiles("latency", P99_STYLE, List.of(result))));
    }

    /// Latencies over the rate, of runs that are not void.
    ///
    /// @param aim drawn as a line, null for none
    static Chart rates(List<RateResult> runs, @Nullable LatencyAim aim) {
        var series = new ArrayList<Series>();
        series.add(series(runs, "p50", P50_STYLE, LatencyFigures::p50Micros));
        series.add(series(runs, "p99", P99_STYLE, LatencyFigures::p99Micros));
        series.add(series(runs, "p99.9", P999_STYLE, LatencyFigures::p999Micros));
        if (aim != null) {
            series.add(line(runs, aim));
        }
        return new Chart(
                "Latency over the rate",
                "Percentiles of the latency at each rate"
                        + (aim == null ? "." : "; the line is " + aim + "."),
                "messages a second",
                "latency, ms",
                series);
    }

    /// Latencies with disturbances and without them: over the share of messages at a single rate,
    /// over the rate at several.
    static Chart effect(List<RateResult> alone, List<RateResult> disturbed, String beside) {
        var rate = disturbed.getFirst().ratePerSecond();
        if (disturbed.stream().allMatch(run -> run.ratePerSecond() == rate)) {
            return new Chart(
                    "Latency at %,.0f messages a second, disturbed and alone".formatted(rate),
                    "The latency that one message out of so many exceeds: the run in the middle and"
                            + " the range of all. Beside the load: %s.".formatted(beside),
                    "one message out of",
                    "takes at least, ms",
                    List.of(
                            percentiles("disturbed", P999_STYLE, valid(disturbed)),
                            percentiles("alone", P50_STYLE, valid(alone))));
        }
        return new Chart(
                "Latency over the rate, disturbed and alone",
                "The 99th percentile at each rate: the run in the middle and the range of all."
                        + " Beside the load: %s.".formatted(beside),
                "messages a second",
                "latency, ms",
                List.of(
                        series(disturbed, "disturbed", P999_STYLE, LatencyFigures::p99Micros),
                        series(alone, "alone", P50_STYLE, LatencyFigures::p99Micros)));
    }

    private static List<RateResult> valid(List<RateResult> runs) {
        return runs.stream().filter(run -> run.voidReason().isEmpty()).toList();
    }

    private static Series percentiles(String name, int style, List<RateResult> runs) {
        var marks = new ArrayList<Mark>();
        PERCENTILES.forEach((oneOf, figure) -> {
            var millis =
                    runs.stream()
                            .map(RateResult::latency)
                            .filter(latency -> latency.count() >= oneOf)
                            .mapToDouble(latency -> figure.applyAsDouble(latency) / 1e3)
                            .sorted()
                            .toArray();
            if (millis.length > 0) {
                var middle = millis[millis.length / 2];
                marks.add(
                        new Mark(
                                new Place(oneOf, middle),
                                millis[0],
                                millis[millis.length - 1],
                                Kind.MEASURED,
                                "%s, 1 of %,d messages: %,.3f ms".formatted(name, oneOf, middle)));
            }
        });
        return new Series(name, style, marks, List.of(), true);
    }

    private static Series line(List<RateResult> runs, LatencyAim aim) {
        var limit = aim.longest().toNanos() / 1e6;
        var rates = runs.stream().mapToDouble(RateResult::ratePerSecond).summaryStatistics();
        return new Series(
                "aim",
                0,
                List.of(),
                List.of(new Place(rates.getMin(), limit), new Place(rates.getMax(), limit)),
                false);
    }

    /// The middle of the runs at each rate, and how far they reach.
    private static Series series(
            List<RateResult> runs, String name, int style, ToDoubleFunction<LatencyFigures> value) {
        var byRate =
                runs.stream()
                        .filter(run -> run.voidReason().isEmpty())
                        .collect(
                                Collectors.groupingBy(
                                        RateResult::ratePerSecond,
                                        TreeMap::new,
                                        Collectors.toList()));
        var marks = new ArrayList<Mark>();
        byRate.forEach((rate, its) -> {
            var millis =
                    its.stream()
                            .mapToDouble(run -> value.applyAsDouble(run.latency()) / 1e3)
                            .sorted()
                            .toArray();
            var middle = millis[millis.length / 2];
            marks.add(
                    new Mark(
                            new Place(rate, middle),
                            millis[0],
                            millis[millis.length - 1],
                            Kind.MEASURED,
                            "%s at %,.0f a second: %,.3f ms".formatted(name, rate, middle)));
        });
        return new Series(name, style, marks, List.of(), true);
    }
}
