package winnow.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.model.Interval;
import winnow.loadgen.model.ServiceTimeFit;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Run;
import winnow.loadgen.workload.FilterKind;

/// The parameters as a table for a terminal of 60 columns, as far as there is a model; else the
/// rates.
public final class FitSummary {

    private static final double NANOS = 1e9;
    private static final double PERCENT = 100;

    private static final String RATES = "%4s %4s %7s %11s %12s %8s %8s%n";

    private static final int LEFT_OUT_LINES = 5;

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
        for (var analysis : analyses) {
            var fit = analysis.fit();
            text.append(
                    fit == null ? rates(analysis.run()) : fitted(analysis, fit, analysis.paper()));
        }
        analyses.forEach(analysis -> text.append(leftOut(analysis.run())));
        if (analyses.stream().anyMatch(FitSummary::byThroughput)) {
            text.append(BY_THROUGHPUT);
        }
        // Not every terminal knows the letter.
        return text.toString().replace('µ', 'u');
    }

    /// What the figures above are without.
    private static String leftOut(Run run) {
        var lines = run.leftOut();
        return lines.isEmpty()
                ? ""
                : "%s: %d of %d points left out:%n".formatted(name(run), lines.size(), run.points())
                        + lines.stream()
                                .limit(LEFT_OUT_LINES)
                                .map("  %s%n"::formatted)
                                .collect(Collectors.joining())
                        + (lines.size() > LEFT_OUT_LINES
                                ? "  and %d more, which the report names%n"
                                        .formatted(lines.size() - LEFT_OUT_LINES)
                                : "");
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
        lines.add("  " + quality(fit, analysis.worstPredictionError()));
        return lines.stream().map("%s%n"::formatted).collect(Collectors.joining());
    }

    private static String quality(ServiceTimeFit fit, OptionalDouble worst) {
        var quality = fit.quality();
        var mean =
                quality == null
                        ? "too few points (%d) for intervals".formatted(fit.observations())
                        : "model's mean error %.1f %%, R2 %.4f"
                                .formatted(
                                        quality.meanAbsoluteRelativeError() * PERCENT,
                                        quality.r2());
        return worst.isPresent()
                ? mean + ", held-out %.1f %%".formatted(worst.getAsDouble() * PERCENT)
                : mean;
    }

    private static String name(Run run) {
        var filter = run.header().filter().label();
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
        text.append(
                RATES.formatted(
                        "pubs",
                        "subs",
                        "filters",
                        "received/s",
                        "dispatched/s",
                        "broker",
                        "client"));
        run.valid().forEach(point -> text.append(rates(point)));
        text.append("broker, client: CPU time per message%n".formatted());
        if (run.header().filter() != FilterKind.NONE) {
            text.append(ReportText.NO_MODEL + "%n".formatted());
        }
        return text.toString();
    }

    private static String rates(Measurement measurement) {
        var point = measurement.point();
        var broker = measurement.brokerMicrosPerMessage();
        return RATES.formatted(
                point.publishers(),
                point.subscribers(),
                point.installedFilters(),
                "%,.0f".formatted(measurement.receivedPerSecond()),
                "%,.0f".formatted(measurement.dispatchedPerSecond()),
                broker.isPresent() ? time(broker.getAsDouble()) : "-",
                time(measurement.clientMicrosPerMessage()));
    }

    private static String time(double micros) {
        return TimeText.of(micros * 1_000 / NANOS);
    }
}
