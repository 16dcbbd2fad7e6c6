package winnow.loadgen.report;

import static winnow.loadgen.report.HtmlReport.escaped;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.ChartSvg;
import winnow.loadgen.report.ReportData.FitData;
import winnow.loadgen.report.ReportData.PointData;
import winnow.loadgen.report.ReportData.RunData;
import winnow.loadgen.workload.HorizontalAxis;

/// Part of the page about one run: a panel with its figure and parameters, and folded below it the
/// points and how they were measured.
final class RunSection {

    private static final double MICROS = 1e6;

    private static final int WIDTH = 560;
    private static final int HEIGHT = 400;

    /// Verdicts of measurements that are drawn, but do not count.
    static final Set<String> LEFT_OUT = Set.of("invalid", "failed");

    private RunSection() {}

    /// Stands beside that of the other way of matching.
    ///
    /// @param group the run and those beside it
    /// @param id of the chart, unlike any other of the page
    static String panel(RunData run, List<RunData> group, String id) {
        var fitted = run.fitted();
        var matching = run.matching();
        var out = new StringBuilder("<article class=\"card\">\n");
        out.append(
                "<h3>%s</h3>\n"
                        .formatted(
                                escaped(
                                        matching == null
                                                ? run.filter() + " filters"
                                                : "Matched: " + matching)));
        if (fitted == null) {
            out.append(figures(run, group, id));
        } else {
            out.append(figure(ReportCharts.throughput(run, group), id, caption(run)))
                    .append(parameters(fitted));
        }
        return out.append(leftOut(run)).append("</article>\n").toString();
    }

    private static String figures(RunData run, List<RunData> group, String id) {
        var out = new StringBuilder("<div class=\"figures\">\n");
        var number = 0;
        for (var chart : FigureCharts.of(run, group)) {
            var caption = number == 0 ? figureCaption(run) : "";
            out.append(figure(chart, id + "-" + ++number, caption));
        }
        out.append("</div>\n").append(rates(run));
        if (run.figure().across() == HorizontalAxis.FILTERS) {
            out.append("<p class=\"small\">" + ReportText.NO_MODEL + "</p>\n");
        }
        return out.toString();
    }

    private static String figure(Chart chart, String id, String caption) {
        return "<figure>%s<figcaption class=\"soft small\">%s</figcaption></figure>\n"
                .formatted(ChartSvg.element(chart, id, WIDTH, HEIGHT), caption);
    }

    private static String figureCaption(RunData run) {
        var repeated = run.points().stream().anyMatch(point -> point.repetition() > 1);
        var figure = run.figure();
        return (repeated
                        ? String.format(
                                Locale.ROOT,
                                "Marks: means; bars: their %s %% intervals, as far as the chart"
                                        + " reaches.",
                                percents(figure.confidence()))
                        : "Each point measured once, so without bars.")
                + (figure.paper().isEmpty() && figure.ratio() == null
                        ? ""
                        : " Stars: values that the paper states.")
                + (run.points().stream().anyMatch(point -> LEFT_OUT.contains(point.verdict()))
                        ? " Crosses: measurements that do not count."
                        : "");
    }

    /// 0.9999 as `99.99`.
    private static String percents(double confidence) {
        return String.valueOf(Math.round(confidence * 1e6) / 1e4).replaceAll("\\.0$", "");
    }

    private static String caption(RunData run) {
        return "Marks: measured, hollow: not seen by the fit; dashed: the model; " + bars(run);
    }

    /// Sentence about the error bars of a chart with a model.
    static String bars(RunData run) {
        if (run.points().stream().anyMatch(point -> point.repetition() > 1)) {
            return "bars: from the lowest to the highest measurement.";
        }
        var share = ReportCharts.meanErrorShare(run);
        return share == 0
                ? "each point measured once, so without bars."
                : String.format(
                        Locale.ROOT,
                        "each point measured once; bars: &plusmn; %.1f %%, the mean distance from"
                                + " the model.",
                        share * 100);
    }

    private static String parameters(FitData fitted) {
        var table =
                new HtmlTable(
                        quality(fitted), 2, "", "time to", "fitted", "95 % interval", "paper");
        for (var parameter : fitted.parameters()) {
            table.row(
                    "",
                    parameter.symbol(),
                    parameter.meaning(),
                    ReportText.fitted(parameter.value() / MICROS, parameter.interval()),
                    ReportText.interval(parameter.interval()),
                    parameter.paper() == null ? "–" : TimeText.of(parameter.paper() / MICROS));
        }
        return table.html();
    }

    private static String quality(FitData fitted) {
        var text = "Model fitted to %d points".formatted(fitted.observations());
        if (fitted.meanErrorPercent() != null) {
            text += ", mean error " + percent(fitted.meanErrorPercent());
        }
        if (fitted.lackOfFit() != null) {
            text += "; " + fitted.lackOfFit();
        }
        if (fitted.heldOut() != null) {
            text += "; " + fitted.heldOut();
        }
        return text;
    }

    /// The curves as a table: a column each.
    private static String rates(RunData run) {
        var curves = FigureCharts.curves(run);
        var places = new TreeSet<Integer>();
        curves.forEach(curve -> places.addAll(curve.estimates().keySet()));
        if (places.isEmpty()) {
            return "";
        }
        var titles =
                Stream.concat(
                        Stream.of(run.figure().across().title()),
                        curves.stream()
                                .map(curve -> curve.name() + ", " + curve.quantity().unit()));
        var table =
                new HtmlTable(
                        FigureCharts.isPerBrokerCpu(run)
                                ? "Rates per second of a broker CPU, with intervals"
                                : "Rates, with intervals",
                        0,
                        titles.toArray(String[]::new));
        for (var place : places) {
            var cells =
                    curves.stream()
                            .map(curve -> curve.estimates().get(place))
                            .map(estimate ->
                                    estimate == null ? "–" : ReportText.estimate(estimate));
            table.row(
                    "",
                    Stream.concat(Stream.of(ReportText.whole(place)), cells)
                            .toArray(String[]::new));
        }
        return "<details><summary>Figures as a table</summary>\n" + table.html() + "</details>\n";
    }

    /// One line; which and why is in the details.
    private static String leftOut(RunData run) {
        var counts = new TreeMap<String, Integer>();
        run.points().stream()
                .map(PointData::verdict)
                .filter(verdict -> !verdict.equals("valid"))
                .forEach(verdict -> counts.merge(verdict, 1, Integer::sum));
        run.failures().forEach(_ -> counts.merge("failed", 1, Integer::sum));
        if (counts.isEmpty()) {
            return "";
        }
        var text =
                Stream.of("invalid", "failed", "replaced")
                        .filter(counts::containsKey)
                        .map(verdict -> counts.get(verdict) + " " + verdict)
                        .collect(Collectors.joining(", "));
        return "<p class=\"small off\">Left out: %s; the table below says why, and points.csv."
                        .formatted(text)
                + "</p>\n";
    }

    private static String percent(double percent) {
        return String.format(Locale.ROOT, "%.1f %%", percent);
    }
}
