package winnow.loadgen.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.model.Interval;
import winnow.loadgen.model.ServiceTimeFit;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Run;
import winnow.loadgen.workload.HorizontalAxis;

/// The parameters as a table for a terminal of 60 columns, as far as there is a model; else the
/// rates.
public final class FitSummary {

    private static final double NANOS = 1e9;

    private static final String RATES = "%11s %12s %8s %8s  %s%n";

    private static final String COMPARED = "%-22s %-27s %-27s %s";

    private static final String BY_THROUGHPUT =
            """
            The times are of the measured throughput, not of the
            broker's CPU time, which is unknown: see --broker-pid
            and --metrics-url.
            """;

    private FitSummary() {}

    /// Several lines, each ended.
    public static String text(List<RunAnalysis> analyses) {
        var text = new StringBuilder();
        var comparisons = MatchingComparison.of(analyses);
        comparisons.forEach(comparison -> text.append(compared(comparison)));
        for (var analysis : analyses) {
            if (comparisons.stream().anyMatch(one -> one.contains(analysis))) {
                continue;
            }
            var fit = analysis.fit();
            text.append(
                    fit == null ? rates(analysis.run()) : fitted(analysis, fit, analysis.paper()));
        }
        if (analyses.stream().anyMatch(FitSummary::byThroughput)) {
            text.append(BY_THROUGHPUT);
        }
        // Not every terminal knows the letter.
        return text.toString().replace('µ', 'u');
    }

    /// One line as soon as a run is done.
    public static String line(RunAnalysis analysis) {
        var fit = analysis.fit();
        var run = analysis.run();
        var count = "%d of %d measurements".formatted(run.valid().size(), run.slots());
        if (fit == null) {
            return "%s: %s, no model%n".formatted(name(run), count);
        }
        var times = fit.times();
        return "%s: t_rcv %s, t_fltr %s, t_tx %s (%s)%n"
                .formatted(
                        name(run),
                        TimeText.of(times.receiveSeconds()),
                        TimeText.of(times.filterSeconds()),
                        TimeText.of(times.transmitSeconds()),
                        count)
                .replace('µ', 'u');
    }

    private static boolean byThroughput(RunAnalysis analysis) {
        return analysis.fit() != null && !analysis.run().brokerCpuKnown();
    }

    private static String fitted(
            RunAnalysis analysis, ServiceTimeFit fit, @Nullable ServiceTimes paper) {
        var times = fit.times();
        var quality = fit.quality();
        var lines = new ArrayList<String>();
        lines.add(name(analysis.run()) + " filters");
        lines.add(
                parameter(
                        "t_rcv",
                        times.receiveSeconds(),
                        quality == null ? null : quality.receive(),
                        paper == null ? 0 : paper.receiveSeconds()));
        lines.add(
                parameter(
                        "t_fltr",
                        times.filterSeconds(),
                        quality == null ? null : quality.filter(),
                        paper == null ? 0 : paper.filterSeconds()));
        lines.add(
                parameter(
                        "t_tx",
                        times.transmitSeconds(),
                        quality == null ? null : quality.transmit(),
                        paper == null ? 0 : paper.transmitSeconds()));
        lines.add("  " + folded(quality(fit, analysis), "  "));
        return lines.stream().map("%s%n"::formatted).collect(Collectors.joining());
    }

    /// A line for each half of a sentence.
    private static String folded(String text, String indentation) {
        return text.replace("; ", "%n".formatted() + indentation);
    }

    private static String compared(MatchingComparison comparison) {
        var lines = new ArrayList<String>();
        lines.add(
                COMPARED.formatted(
                        comparison.filter() + " filters",
                        MatchingComparison.LINEAR,
                        MatchingComparison.INDEXED,
                        "paper"));
        for (var row : comparison.rows()) {
            lines.add(
                    COMPARED.formatted(
                            "  " + row.symbol(), row.linear(), row.indexed(), row.paper()));
        }
        lines.add("  capacity: " + comparison.rows().getLast().meaning());
        comparison.qualities().forEach(quality -> lines.add("  " + folded(quality, "    ")));
        return lines.stream()
                .map(line -> line.stripTrailing() + "%n".formatted())
                .collect(Collectors.joining());
    }

    private static String quality(ServiceTimeFit fit, RunAnalysis analysis) {
        var quality = fit.quality();
        return quality == null
                ? "too few points (%d) for intervals".formatted(fit.observations())
                : ReportText.quality(quality, analysis);
    }

    private static String name(Run run) {
        var filter = run.header().filter();
        var matching = run.matching();
        return matching == null ? filter : filter + ", " + matching;
    }

    private static String parameter(
            String symbol, double seconds, @Nullable Interval interval, double paperSeconds) {
        var value =
                interval != null && interval.containsZero()
                        ? ReportText.interval(interval)
                        : ReportText.fitted(seconds, interval);
        var range =
                interval == null || interval.containsZero()
                        ? ""
                        : "(" + ReportText.interval(interval) + ")";
        var paper = paperSeconds == 0 ? "" : "paper " + TimeText.of(paperSeconds);
        var measured = "%-8s  %s".formatted(value, range);
        return "  %-6s %-32s %s".formatted(symbol, measured, paper).stripTrailing();
    }

    private static String rates(Run run) {
        if (run.valid().isEmpty()) {
            return "";
        }
        var text = new StringBuilder(name(run) + "%n".formatted());
        text.append(RATES.formatted("received/s", "dispatched/s", "broker", "client", "point"));
        var figure = run.header().figure();
        run.valid().stream()
                .sorted(
                        Comparator.comparing((Measurement one) -> figure.seriesOf(one.point()))
                                .thenComparingInt(one -> figure.across().of(one.point())))
                .forEach(point -> text.append(rates(point)));
        text.append("broker, client: CPU time per message%n".formatted());
        if (run.header().figure().across() == HorizontalAxis.FILTERS) {
            text.append(ReportText.NO_MODEL + "%n".formatted());
        }
        return text.toString();
    }

    private static String rates(Measurement measurement) {
        var point = measurement.point();
        var broker = measurement.brokerMicrosPerMessage();
        return RATES.formatted(
                "%,.0f".formatted(measurement.receivedPerSecond()),
                "%,.0f".formatted(measurement.dispatchedPerSecond()),
                broker.isPresent() ? time(broker.getAsDouble()) : "-",
                time(measurement.clientMicrosPerMessage()),
                point.label());
    }

    private static String time(double micros) {
        return TimeText.of(micros * 1_000 / NANOS);
    }
}
