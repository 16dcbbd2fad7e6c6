package winnow.loadgen.report;

import static winnow.loadgen.report.HtmlReport.escaped;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import winnow.loadgen.chart.ChartSvg;
import winnow.loadgen.report.ReportData.FitData;
import winnow.loadgen.report.ReportData.PointData;
import winnow.loadgen.report.ReportData.RunData;

/// What the page says about one run: a panel with its chart and parameters, and folded below it the
/// points and how they were measured.
final class RunSection {

    private static final double MICROS = 1e6;

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
        if (run.points().stream().anyMatch(point -> point.filters() > 0)) {
            out.append(
                    "<figure>%s<figcaption class=\"soft small\">%s</figcaption></figure>\n"
                            .formatted(
                                    ChartSvg.element(
                                            ReportCharts.throughput(run, group), id, 560, 400),
                                    caption(run)));
        } else {
            out.append(rates(run));
        }
        if (fitted != null) {
            out.append(parameters(fitted));
        } else if (run.points().stream().anyMatch(point -> point.filters() > 0)) {
            out.append("<p class=\"small\">" + ReportText.NO_MODEL + "</p>\n");
        }
        return out.append(leftOut(run)).append("</article>\n").toString();
    }

    private static String caption(RunData run) {
        return run.fitted() == null
                ? "Marks: measured; " + bars(run)
                : "Marks: measured, hollow: not seen by the fit; dashed: the model; " + bars(run);
    }

    /// What the error bars are.
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

    /// Received and dispatched rates of a run without filters.
    private static String rates(RunData run) {
        var table =
                new HtmlTable(
                        "Rates in messages per second",
                        0,
                        "publishers",
                        "subscribers",
                        "received/s",
                        "dispatched/s",
                        "broker CPU per message");
        run.points().stream()
                .filter(point -> point.verdict().equals("valid"))
                .sorted(
                        Comparator.comparingInt(PointData::publishers)
                                .thenComparingInt(PointData::r))
                .forEach(point ->
                        table.row(
                                "",
                                ReportText.whole(point.publishers()),
                                ReportText.whole(point.r()),
                                ReportText.whole(point.received()),
                                ReportText.whole(point.dispatched()),
                                ReportText.time(point.brokerMicrosPerMessage())));
        return table.html();
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
