package winnow.loadgen.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.report.ReportData.PointData;
import winnow.loadgen.report.ReportData.RunData;

/// The charts of the page: throughput over installed filters, measured and by the model.
final class ReportCharts {

    private static final String FILTERS = "installed filters";

    private static final int CURVE_STEPS = 60;

    private static final int RED = 5;
    private static final int BLUE = 1;

    private ReportCharts() {}

    /// Linear and indexed matching of the same load with the fewest copies.
    ///
    /// @param pair runs of one kind of filter, matched in different ways
    static Chart effect(List<RunData> pair) {
        var copies =
                pair.getFirst().points().stream()
                        .mapToInt(PointData::r)
                        .filter(r -> r > 0)
                        .min()
                        .orElse(1);
        var series = new ArrayList<Series>();
        for (var run : pair) {
            var style = "linear".equals(run.matching()) ? RED : BLUE;
            series.add(series(run, copies, style, String.valueOf(run.matching())));
        }
        return new Chart(
                "Throughput with linear and indexed matching",
                "Messages per second over the number of %s filters, r = %d: %s."
                        .formatted(pair.getFirst().filter(), copies, ends(series)),
                FILTERS,
                up(pair.getFirst()),
                series);
    }

    /// The same with the curve of the paper's server, by its own table 1.
    ///
    /// @param pair runs of one kind of filter, matched in different ways
    /// @param paper times of the paper for that kind
    static Chart paperEffect(List<RunData> pair, ServiceTimes paper) {
        var chart = effect(pair);
        var filters =
                chart.places().mapToDouble(Place::across).filter(n -> n >= 1).summaryStatistics();
        var places = new ArrayList<Place>();
        for (var step = 0; step <= CURVE_STEPS; step++) {
            var count =
                    filters.getMin()
                            * Math.pow(
                                    filters.getMax() / filters.getMin(),
                                    (double) step / CURVE_STEPS);
            places.add(new Place(count, 2 / paper.serviceSeconds(count, 1)));
        }
        var series = new ArrayList<>(chart.series());
        series.add(new Series("FioranoMQ", Series.PAPER, List.of(), places, false));
        return new Chart(
                "Throughput with %s filters: the paper's server and Winnow"
                        .formatted(pair.getFirst().filter()),
                chart.description(),
                chart.across(),
                chart.up(),
                series);
    }

    /// All replication grades of a run, on axes that fit the runs beside it.
    static Chart throughput(RunData run, List<RunData> group) {
        var around = group.stream().flatMap(one -> throughput(one).places()).toList();
        return throughput(run).reaching(around);
    }

    private static Chart throughput(RunData run) {
        var series = new ArrayList<Series>();
        var grades = run.points().stream().mapToInt(PointData::r).distinct().sorted().toArray();
        for (var style = 0; style < grades.length; style++) {
            var one = series(run, grades[style], style, "r = " + grades[style]);
            if (!one.marks().isEmpty()) {
                series.add(one);
            }
        }
        return new Chart(
                "Throughput with %s filters%s"
                        .formatted(
                                run.filter(), run.matching() == null ? "" : ", " + run.matching()),
                "Messages per second over the number of filters, a line for each replication grade:"
                        + " %s.".formatted(ends(series)),
                FILTERS,
                up(run),
                series);
    }

    private static String up(RunData run) {
        return run.brokerCpuKnown() ? "messages/s per broker CPU" : "messages/s";
    }

    /// First and last values of curves, in words.
    static String ends(List<Series> series) {
        return series.stream()
                .filter(one -> !one.marks().isEmpty())
                .map(one -> {
                    var marks = one.marks();
                    return "%s from %,.0f to %,.0f"
                            .formatted(
                                    one.label(),
                                    marks.getFirst().at().up(),
                                    marks.getLast().at().up());
                })
                .collect(Collectors.joining("; "));
    }

    private static Series series(RunData run, int copies, int style, String label) {
        var points = run.points().stream().filter(point -> point.r() == copies).toList();
        return new Series(label, style, marks(run, points), curve(run, copies), false);
    }

    private static List<Mark> marks(RunData run, List<PointData> points) {
        var marks = new ArrayList<Mark>();
        var valid =
                points.stream()
                        .filter(PointData::isValid)
                        .collect(
                                Collectors.groupingBy(
                                        PointData::point, LinkedHashMap::new, Collectors.toList()));
        valid.values().forEach(group -> marks.add(mark(run, group)));
        for (var point : points) {
            var rate = point.saturated();
            if (List.of("invalid", "failed").contains(point.verdict()) && rate != null) {
                var note = note(point) + ": " + String.join(", ", point.reasons());
                marks.add(
                        new Mark(
                                new Place(point.filters(), rate),
                                rate,
                                rate,
                                Kind.DISTURBED,
                                note));
            }
        }
        marks.sort((a, b) -> Double.compare(a.at().across(), b.at().across()));
        return marks;
    }

    /// Of one point, measured once or several times: the lower of the two rates in the middle, as
    /// the fit takes the time.
    private static Mark mark(RunData run, List<PointData> group) {
        var rates =
                group.stream()
                        .mapToDouble(point -> point.saturated() == null ? 0 : point.saturated())
                        .sorted()
                        .toArray();
        var first = group.getFirst();
        var rate = rates[rates.length / 2];
        var spread = group.size() > 1 ? 0 : meanErrorShare(run);
        return new Mark(
                new Place(first.filters(), rate),
                Arrays.stream(rates).min().orElse(rate) * (1 - spread),
                Arrays.stream(rates).max().orElse(rate) * (1 + spread),
                first.isHeldOut() ? Kind.HELD_OUT : Kind.MEASURED,
                "%s: %,.0f messages/s".formatted(note(first), rate));
    }

    /// Mean deviation of the model from the points: the only spread that is known where each was
    /// measured once.
    static double meanErrorShare(RunData run) {
        var fitted = run.fitted();
        var percent = fitted == null ? null : fitted.meanErrorPercent();
        return percent == null ? 0 : percent / 100;
    }

    private static String note(PointData point) {
        return String.format(
                Locale.ROOT,
                "r = %d, %,d filters, %d publishers",
                point.r(),
                point.filters(),
                point.point().publishers());
    }

    private static List<Place> curve(RunData run, int copies) {
        var fitted = run.fitted();
        var highest = run.points().stream().mapToInt(PointData::filters).max().orElse(0);
        var lowest = Math.max(1, copies);
        var places = new ArrayList<Place>();
        if (fitted == null || highest <= lowest) {
            return places;
        }
        var receive = fitted.parameters().get(0).value();
        var filter = fitted.parameters().get(1).value();
        var transmit = fitted.parameters().get(2).value();
        for (var step = 0; step <= CURVE_STEPS; step++) {
            var filters = lowest * Math.pow((double) highest / lowest, (double) step / CURVE_STEPS);
            var micros = receive + filters * filter + copies * transmit;
            places.add(new Place(filters, (copies + 1) * 1e6 / micros));
        }
        return places;
    }
}
