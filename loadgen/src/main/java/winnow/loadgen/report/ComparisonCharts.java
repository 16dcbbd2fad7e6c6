package winnow.loadgen.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;
import winnow.loadgen.report.ProviderComparison.PointRatios;
import winnow.loadgen.report.ProviderComparison.ProviderRatios;
import winnow.loadgen.report.ProviderComparison.ScenarioRatios;
import winnow.loadgen.workload.AxisScale;
import winnow.loadgen.workload.Figure;
import winnow.loadgen.workload.Point;

/// The charts of a scenario with a line for each provider: for each curve of its figure one of the
/// rate and one of the broker's CPU time.
final class ComparisonCharts {

    /// Colors that differ, each with another marker than its neighbours.
    private static final int[] STYLES = {1, 5, 3, 7, 4, 8, 2, 6, 9};

    private final ProviderComparison comparison;
    private final ScenarioRatios scenario;
    private final Figure figure;

    private ComparisonCharts(
            ProviderComparison comparison, ScenarioRatios scenario, Figure figure) {
        this.comparison = comparison;
        this.scenario = scenario;
        this.figure = figure;
    }

    /// A drawing and the text below it.
    record Captioned(Chart chart, String caption) {}

    /// All charts of a scenario; none without a point.
    static List<Captioned> of(ProviderComparison comparison, ScenarioRatios scenario) {
        var figure =
                comparison.providers().stream()
                        .flatMap(provider ->
                                ProviderComparison.run(provider, scenario.scenario()).stream())
                        .map(run -> run.header().figure())
                        .findFirst()
                        .orElseThrow()
                        .apart(scenario.points().stream().map(PointRatios::point).toList());
        return new ComparisonCharts(comparison, scenario, figure).charts();
    }

    private List<Captioned> charts() {
        var bySeries = new LinkedHashMap<String, List<PointRatios>>();
        for (var point : scenario.points()) {
            bySeries.computeIfAbsent(figure.seriesOf(point.point()), _ -> new ArrayList<>())
                    .add(point);
        }
        var charts = new ArrayList<Captioned>();
        bySeries.forEach((name, points) -> {
            add(charts, name, points, "messages/s", ProviderRatios::overallPerSecond);
            add(
                    charts,
                    name,
                    points,
                    "broker CPU, us per message",
                    ProviderRatios::brokerMicrosPerMessage);
        });
        return charts;
    }

    private void add(
            List<Captioned> charts,
            String name,
            List<PointRatios> points,
            String up,
            Function<ProviderRatios, @Nullable Estimate> value) {
        var series = new ArrayList<Series>();
        for (var index = 0; index < comparison.providers().size(); index++) {
            var provider = comparison.providers().get(index).name();
            var marks = new ArrayList<Mark>();
            for (var point : points) {
                point.providers().stream()
                        .filter(one -> one.provider().equals(provider))
                        .forEach(one -> add(marks, point.point(), provider, value.apply(one)));
            }
            if (!marks.isEmpty()) {
                series.add(
                        new Series(
                                provider, STYLES[index % STYLES.length], marks, List.of(), true));
            }
        }
        if (series.isEmpty()) {
            return;
        }
        var across = figure.across().title();
        var caption = (name.isEmpty() ? "" : name + ": ") + up + " over " + across;
        charts.add(
                new Captioned(
                        new Chart(
                                scenario.title() + ", " + caption,
                                "%s: %s.".formatted(caption, ReportCharts.ends(series)),
                                across,
                                up,
                                figure.acrossScale(),
                                AxisScale.LOG,
                                series,
                                List.of()),
                        caption));
    }

    private void add(List<Mark> marks, Point point, String provider, @Nullable Estimate estimate) {
        if (estimate == null) {
            return;
        }
        var across = figure.across().of(point);
        marks.add(
                new Mark(
                        new Place(across, estimate.mean()),
                        estimate.low(),
                        estimate.high(),
                        Kind.MEASURED,
                        String.format(
                                Locale.ROOT,
                                "%s at %,d: %s",
                                provider,
                                across,
                                ReportText.estimate(estimate))));
    }
}
