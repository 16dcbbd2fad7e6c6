package winnow.loadgen.report;

import static winnow.loadgen.report.HtmlReport.escaped;

import java.util.Comparator;
import java.util.Locale;
import winnow.loadgen.chart.ChartSvg;
import winnow.loadgen.report.ReportData.FailureData;
import winnow.loadgen.report.ReportData.PointData;
import winnow.loadgen.report.ReportData.RunData;

/// The folded part of the page about one run: its points, what the model predicted, and how they
/// were measured.
final class RunDetails {
    private static final int WIDTH = 560;
    private static final int HEIGHT = 260;

    private RunDetails() {}

    /// One element, closed at first.
    static String of(RunData run) {
        var name = run.matching() == null ? run.filter() : run.filter() + ", " + run.matching();
        return """
        <details class="card"><summary>Points and settings: %s</summary>
        %s%s%s%s%s</details>
        """
                .formatted(
                        escaped(name),
                        predictions(run),
                        points(run),
                        machines(run),
                        course(run),
                        settings(run));
    }

    private static String predictions(RunData run) {
        var held =
                run.points().stream()
                        .filter(PointData::isHeldOut)
                        .filter(PointData::isValid)
                        .toList();
        if (held.isEmpty() || run.fitted() == null) {
            return "";
        }
        var table =
                new HtmlTable(
                        "Broker's time per message that the model has not seen",
                        0,
                        "r",
                        "n",
                        "measured",
                        "predicted",
                        "error");
        for (var point : held) {
            table.row(
                    "",
                    ReportText.whole(point.r()),
                    ReportText.whole(point.point().others()),
                    ReportText.time(point.serviceMicros()),
                    ReportText.time(point.modelMicros()),
                    point.errorPercent() == null
                            ? "–"
                            : String.format(Locale.ROOT, "%+.1f %%", point.errorPercent()));
        }
        return table.html();
    }

    private static String course(RunData run) {
        var watched = run.watched();
        if (watched == null) {
            return "";
        }
        var out = new StringBuilder("<div class=\"figures\">\n");
        for (var chart : CourseCharts.of(watched)) {
            var id = run.id() + "-" + chart.up().replace('/', '-');
            out.append("<figure>")
                    .append(ChartSvg.element(chart, id, WIDTH, HEIGHT))
                    .append("<figcaption class=\"soft small\">")
                    .append(escaped(chart.title()))
                    .append("</figcaption></figure>\n");
        }
        return out.append("</div>\n").toString();
    }

    private static String points(RunData run) {
        var table =
                new HtmlTable(
                        "All points; shares are of all processors; *: others had a part in the"
                                + " throughput",
                        1,
                        "point",
                        "#",
                        "received/s",
                        "dispatched/s",
                        "broker per message",
                        "client per message",
                        "broker",
                        "compilers",
                        "client",
                        "others",
                        "limit",
                        "weight",
                        "lost",
                        "doubled",
                        "verdict");
        run.points().stream()
                .sorted(
                        Comparator.comparing((PointData point) -> point.point().series())
                                .thenComparing(point -> point.point().filter())
                                .thenComparingInt(point -> point.point().publishers())
                                .thenComparingInt(PointData::r)
                                .thenComparingInt(point -> point.point().targets())
                                .thenComparingInt(PointData::filters)
                                .thenComparing(point -> point.point().order())
                                .thenComparingInt(point -> point.point().conditions())
                                .thenComparingInt(point -> point.point().bodyBytes()))
                .forEach(point -> pointRow(table, point));
        run.failures().forEach(failure -> failureRow(table, failure));
        return table.html();
    }

    private static String machines(RunData run) {
        if (run.workerMachines().isEmpty()) {
            return "";
        }
        var table =
                new HtmlTable(
                        "Machines of the load; shares and rates are the highest of all points"
                                + " (paper: at most 75 % of processors and of memory)",
                        3,
                        "worker",
                        "",
                        "processors",
                        "in use",
                        "by the worker",
                        "memory in use",
                        "received MB/s",
                        "sent MB/s");
        for (var machine : run.workerMachines()) {
            var what = machine.machine();
            table.row(
                    "",
                    what.worker(),
                    what.roles(),
                    what.machine().processorsText() + ", " + what.machine().processor(),
                    ReportText.share(machine.busyShare()),
                    ReportText.share(machine.workerShare()),
                    ReportText.share(machine.memoryShare()),
                    ReportText.megabytes(machine.receivedBytesPerSecond()),
                    ReportText.megabytes(machine.sentBytesPerSecond()));
        }
        return table.html();
    }

    private static void failureRow(HtmlTable table, FailureData failure) {
        var unknown = "–";
        table.row(
                "off",
                failure.point().label(),
                ReportText.whole(failure.position()),
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                unknown,
                "failed: " + failure.reason());
    }

    private static void pointRow(HtmlTable table, PointData point) {
        var valid = point.isValid();
        var why = valid ? point.notes() : point.reasons();
        table.row(
                valid ? "" : "off",
                point.point().label(),
                ReportText.whole(point.position()),
                ReportText.whole(point.received()) + (point.disturbed() ? " *" : ""),
                ReportText.whole(point.dispatched()),
                ReportText.time(point.brokerMicrosPerMessage()),
                ReportText.time(point.clientMicrosPerMessage()),
                ReportText.share(point.brokerShare()),
                ReportText.share(point.compilerShare()),
                ReportText.share(point.clientShare()),
                ReportText.share(point.othersShare()),
                point.limit(),
                ReportText.share(point.weight()),
                ReportText.whole((double) point.lost()),
                ReportText.whole((double) point.doubled()),
                point.verdict() + (why.isEmpty() ? "" : ": " + String.join(", ", why)));
    }

    private static String settings(RunData run) {
        var out = new StringBuilder("<dl class=\"small\">\n");
        term(out, "command", run.command());
        term(out, "broker", run.url());
        term(out, "provider", run.provider());
        term(out, "broker CPU", run.brokerCpuSource());
        term(out, "seed", run.seed());
        term(out, "run", run.id());
        run.settings().forEach(setting -> term(out, setting.name(), setting.value()));
        return out.append("</dl>\n").toString();
    }

    private static void term(StringBuilder out, String name, String value) {
        out.append("<dt>%s</dt><dd>%s</dd>%n".formatted(escaped(name), escaped(value)));
    }
}
