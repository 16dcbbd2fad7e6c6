package winnow.loadgen.report;

import static winnow.loadgen.report.HtmlReport.escaped;

import java.util.Comparator;
import java.util.Locale;
import winnow.loadgen.report.ReportData.FailureData;
import winnow.loadgen.report.ReportData.PointData;
import winnow.loadgen.report.ReportData.RunData;
import winnow.loadgen.workload.PointUse;

/// The folded part of the page about one run: its points, what the model predicted, and how they
/// were measured.
final class RunDetails {
    private RunDetails() {}

    /// One element, closed at first.
    static String of(RunData run) {
        var name = run.matching() == null ? run.filter() : run.filter() + ", " + run.matching();
        return """
        <details class="card"><summary>Points and settings: %s</summary>
        %s%s%s</details>
        """
                .formatted(escaped(name), predictions(run), points(run), settings(run));
    }

    private static String predictions(RunData run) {
        var held =
                run.points().stream()
                        .filter(point -> point.use().equals(PointUse.HELD_OUT.label()))
                        .filter(point -> point.verdict().equals("valid"))
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
                    ReportText.whole(point.n()),
                    ReportText.time(point.serviceMicros()),
                    ReportText.time(point.modelMicros()),
                    point.errorPercent() == null
                            ? "–"
                            : String.format(Locale.ROOT, "%+.1f %%", point.errorPercent()));
        }
        return table.html();
    }

    private static String points(RunData run) {
        var table =
                new HtmlTable(
                        "All points; shares are of all processors; *: others had a part in the"
                                + " throughput",
                        0,
                        "#",
                        "publishers",
                        "r",
                        "n",
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
                        Comparator.comparingInt(PointData::publishers)
                                .thenComparingInt(PointData::r)
                                .thenComparingInt(PointData::n))
                .forEach(point -> pointRow(table, point));
        run.failures().forEach(failure -> failureRow(table, failure));
        return table.html();
    }

    private static void failureRow(HtmlTable table, FailureData failure) {
        var unknown = "–";
        table.row(
                "off",
                ReportText.whole(failure.position()),
                ReportText.whole(failure.publishers()),
                ReportText.whole(failure.r()),
                ReportText.whole(failure.n()),
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
        var valid = point.verdict().equals("valid");
        var why = valid ? point.notes() : point.reasons();
        table.row(
                valid ? "" : "off",
                ReportText.whole(point.position()),
                ReportText.whole(point.publishers()),
                ReportText.whole(point.r()),
                ReportText.whole(point.n()),
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
