package winnow.loadgen.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;
import winnow.loadgen.report.ReportData.PointData;
import winnow.loadgen.report.ReportData.RunData;
import winnow.loadgen.workload.AxisScale;
import winnow.loadgen.workload.Figure;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.Quantity;

/// The charts of a run as its figure wants them: one for each unit, and one for a ratio. The mean
/// of each point has its confidence interval, and beside it stands what the paper states.
final class FigureCharts {

    private static final String PAPER = "paper";
    private static final String BARE_SOCKET = "bare socket, one way";

    /// Colors that differ, each with another marker than its neighbours.
    private static final int[] STYLES = {1, 5, 3, 7, 4, 8, 2, 6, 9};

    /// Beyond the styles that curves have.
    private static final int SOCKET_STYLE = 0;

    private final RunData run;
    private final Figure figure;

    /// Names of the curves that axes tell apart, the same in runs beside each other.
    private final List<String> names;

    private FigureCharts(RunData run, List<String> names) {
        this.run = run;
        this.figure = run.figure();
        this.names = names;
    }

    /// One curve: its points from left to right, each with what was measured.
    ///
    /// @param quantity what is drawn
    record Curve(String name, Quantity quantity, Map<Integer, Estimate> estimates) {}

    /// The charts of a run, on axes that fit the runs beside it.
    ///
    /// @param group the run and those beside it
    static List<Chart> of(RunData run, List<RunData> group) {
        var names =
                group.stream()
                        .flatMap(one ->
                                one.points().stream()
                                        .map(point -> one.figure().seriesOf(point.point())))
                        .distinct()
                        .sorted(SeriesOrder.NATURAL)
                        .toList();
        var around = new TreeMap<String, List<Place>>();
        for (var one : group) {
            for (var chart : new FigureCharts(one, names).charts()) {
                around.computeIfAbsent(chart.up(), _ -> new ArrayList<>())
                        .addAll(chart.places().toList());
            }
        }
        return new FigureCharts(run, names)
                .charts().stream()
                        .map(chart -> chart.reaching(around.getOrDefault(chart.up(), List.of())))
                        .toList();
    }

    /// All curves of a run, for a table.
    static List<Curve> curves(RunData run) {
        var figure = run.figure();
        var names =
                run.points().stream()
                        .map(point -> figure.seriesOf(point.point()))
                        .distinct()
                        .sorted(SeriesOrder.NATURAL)
                        .toList();
        var charts = new FigureCharts(run, names);
        return figure.values().stream().flatMap(charts::curves).toList();
    }

    /// True if rates are per second of a broker processor.
    static boolean isPerBrokerCpu(RunData run) {
        return run.figure().perBrokerCpu() && run.brokerCpuKnown();
    }

    private List<Chart> charts() {
        var charts = new ArrayList<Chart>();
        var units = new LinkedHashMap<String, List<Quantity>>();
        for (var quantity : figure.values()) {
            units.computeIfAbsent(quantity.unit(), _ -> new ArrayList<>()).add(quantity);
        }
        units.forEach((unit, quantities) -> charts.add(chart(unit, quantities)));
        ratio(charts);
        charts.removeIf(chart -> chart.series().stream().allMatch(one -> one.marks().isEmpty()));
        return charts;
    }

    private Chart chart(String unit, List<Quantity> quantities) {
        var series = new ArrayList<Series>();
        for (var quantity : quantities) {
            curves(quantity).map(curve -> series(curve, series.size())).forEach(series::add);
        }
        var drawn = List.copyOf(series);
        series.addAll(disturbed(quantities));
        paper(quantities, series);
        if (!run.limits().isEmpty()) {
            series.add(limit(quantities.getFirst()));
        }
        return chart(
                isPerBrokerCpu(run) ? unit + " per broker CPU" : unit,
                figure.upScale(),
                drawn,
                series);
    }

    private Chart chart(String up, AxisScale scale, List<Series> drawn, List<Series> all) {
        return new Chart(
                title() + ", " + up,
                "%s over %s: %s.".formatted(up, figure.across().title(), ReportCharts.ends(drawn)),
                figure.across().title(),
                up,
                figure.acrossScale(),
                scale,
                all,
                List.of());
    }

    private String title() {
        return run.matching() == null ? run.title() : run.title() + ", " + run.matching();
    }

    private Stream<Curve> curves(Quantity quantity) {
        return names.stream()
                .map(name -> curve(name, quantity))
                .filter(curve -> !curve.estimates().isEmpty());
    }

    private Curve curve(String name, Quantity quantity) {
        var measured = new TreeMap<Integer, List<Double>>();
        run.points().stream()
                .filter(PointData::isValid)
                .filter(point -> figure.seriesOf(point.point()).equals(name))
                .forEach(point ->
                        measured.computeIfAbsent(
                                        figure.across().of(point.point()), _ -> new ArrayList<>())
                                .add(value(point, quantity)));
        var estimates = new LinkedHashMap<Integer, Estimate>();
        measured.forEach((across, values) -> estimates.put(across, estimate(values)));
        return new Curve(label(name, quantity), quantity, estimates);
    }

    private Estimate estimate(Collection<Double> values) {
        return Estimate.of(
                values.stream().mapToDouble(Double::doubleValue).toArray(), figure.confidence());
    }

    private double value(PointData point, Quantity quantity) {
        var saturated = point.saturated();
        var factor = isPerBrokerCpu(run) && saturated != null ? saturated / point.overall() : 1;
        return quantity.of(point.point(), point.received() * factor, point.dispatched() * factor);
    }

    private String label(String name, Quantity quantity) {
        var isAlone =
                figure.values().stream().filter(one -> one.unit().equals(quantity.unit())).count()
                        == 1;
        if (name.isEmpty()) {
            return quantity.title();
        }
        return isAlone ? name : name + ", " + quantity.title();
    }

    /// Only the first quantity has error bars, as in the paper.
    private Series series(Curve curve, int number) {
        var hasBars = figure.values().getFirst().title().equals(curve.quantity().title());
        var marks =
                curve.estimates().entrySet().stream()
                        .map(entry -> mark(curve, entry.getKey(), entry.getValue(), hasBars))
                        .toList();
        return new Series(curve.name(), STYLES[number % STYLES.length], marks, List.of(), true);
    }

    private static Mark mark(Curve curve, int across, Estimate estimate, boolean hasBar) {
        return new Mark(
                new Place(across, estimate.mean()),
                hasBar ? estimate.low() : estimate.mean(),
                hasBar ? estimate.high() : estimate.mean(),
                Kind.MEASURED,
                String.format(
                        Locale.ROOT,
                        "%s at %,d: %s",
                        curve.name(),
                        across,
                        ReportText.estimate(estimate)));
    }

    /// Measurements that do not count.
    private List<Series> disturbed(List<Quantity> quantities) {
        var marks = new ArrayList<Mark>();
        for (var point : run.points()) {
            if (RunSection.LEFT_OUT.contains(point.verdict())) {
                var value = value(point, quantities.getFirst());
                marks.add(
                        new Mark(
                                new Place(figure.across().of(point.point()), value),
                                value,
                                value,
                                Kind.DISTURBED,
                                point.point().label() + ": " + String.join(", ", point.reasons())));
            }
        }
        return marks.isEmpty()
                ? List.of()
                : List.of(new Series("", SOCKET_STYLE, marks, List.of(), false));
    }

    private void paper(List<Quantity> quantities, List<Series> series) {
        var marks =
                figure.paper().stream()
                        .filter(stated -> quantities.contains(stated.value()))
                        .map(stated -> paper(stated.series(), stated.across(), stated.up()))
                        .toList();
        if (!marks.isEmpty()) {
            series.add(new Series(PAPER, Series.PAPER, marks, List.of(), false));
        }
    }

    private static Mark paper(String name, double across, double up) {
        var what = name.isEmpty() ? PAPER : PAPER + ", " + name;
        return new Mark(
                new Place(across, up),
                up,
                up,
                Kind.MEASURED,
                String.format(Locale.ROOT, "%s at %,.0f: %,.1f", what, across, up));
    }

    private Series limit(Quantity quantity) {
        var places =
                run.limits().stream()
                        .map(limit ->
                                new Place(
                                        limit.bodyBytes(),
                                        quantity.of(
                                                Point.of(Map.of("bodyBytes", limit.bodyBytes())),
                                                limit.messagesPerSecond(),
                                                0)))
                        .toList();
        return new Series(BARE_SOCKET, SOCKET_STYLE, List.of(), places, false);
    }

    private void ratio(List<Chart> charts) {
        var ratio = figure.ratio();
        if (ratio == null) {
            return;
        }
        var quantity = figure.values().getFirst();
        var of = curve(ratio.of(), quantity).estimates();
        var to = curve(ratio.to(), quantity).estimates();
        var quotients = new LinkedHashMap<Integer, Estimate>();
        of.forEach((across, estimate) -> {
            var other = to.get(across);
            if (other != null) {
                quotients.put(across, estimate.over(other));
            }
        });
        if (quotients.isEmpty()) {
            return;
        }
        var series = new ArrayList<Series>();
        series.add(series(new Curve(ratio.name(), quantity, quotients), 0));
        var drawn = List.copyOf(series);
        var last = quotients.keySet().stream().mapToInt(Integer::intValue).max().orElseThrow();
        series.add(
                new Series(
                        PAPER,
                        Series.PAPER,
                        List.of(paper("", last, ratio.paper())),
                        List.of(),
                        false));
        charts.add(chart("ratio", AxisScale.LINEAR, drawn, series));
    }

    /// Names that begin alike and end with a number by that number; others by the letters.
    private static final class SeriesOrder {
        private static final Comparator<String> NATURAL =
                Comparator.comparing(SeriesOrder::text)
                        .thenComparingInt(SeriesOrder::number)
                        .thenComparing(name -> name);

        private static String text(String name) {
            return name.replaceAll("\\d+$", "");
        }

        private static int number(String name) {
            var digits = name.replaceAll("^.*?(\\d*)$", "$1");
            return digits.isEmpty() ? 0 : Integer.parseInt(digits);
        }
    }
}
