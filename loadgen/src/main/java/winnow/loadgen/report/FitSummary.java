package winnow.loadgen.report;

import java.util.List;
import java.util.stream.Collectors;
import winnow.loadgen.model.Interval;
import winnow.loadgen.model.ServiceTimeFit;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Run;

/// The parameters as a table for a terminal, as far as there is a model; else the rates.
public final class FitSummary {

    private static final double MICROS = 1e6;
    private static final double PERCENT = 100;

    private static final String ROW = "%-24s %-26s %-26s %-26s %-8s %s%n";

    private static final String BY_THROUGHPUT =
            "t_rcv, t_fltr and t_tx are of the measured throughput, not of the broker's CPU time,"
                    + " which is unknown: see --broker-pid and --metrics-url.%n".formatted();

    private FitSummary() {}

    /// Several lines, each ended.
    public static String text(List<RunAnalysis> analyses) {
        var text = new StringBuilder();
        if (analyses.stream().anyMatch(analysis -> analysis.fit() != null)) {
            text.append(
                    ROW.formatted(
                            "filter",
                            "t_rcv us",
                            "t_fltr us",
                            "t_tx us",
                            "R2",
                            "mean / worst held-out error"));
        }
        for (var analysis : analyses) {
            var fit = analysis.fit();
            if (fit == null) {
                analysis.run().valid().forEach(point -> text.append(rates(point)));
            } else {
                text.append(fitted(analysis, fit));
                var paper = analysis.paper();
                if (paper != null) {
                    text.append(paper(paper));
                }
            }
        }
        analyses.forEach(analysis -> text.append(leftOut(analysis.run())));
        if (analyses.stream().anyMatch(FitSummary::byThroughput)) {
            text.append(BY_THROUGHPUT);
        }
        return text.toString();
    }

    /// What the figures above are without.
    private static String leftOut(Run run) {
        var lines = run.leftOut();
        return lines.isEmpty()
                ? ""
                : "%s: %d of %d points left out:%n".formatted(name(run), lines.size(), run.points())
                        + lines.stream().map("  %s%n"::formatted).collect(Collectors.joining());
    }

    private static boolean byThroughput(RunAnalysis analysis) {
        return analysis.fit() != null && !analysis.run().brokerCpuKnown();
    }

    private static String fitted(RunAnalysis analysis, ServiceTimeFit fit) {
        var times = fit.times();
        var quality = fit.quality();
        var worst = analysis.worstPredictionError();
        var worstPercent =
                worst.isPresent() ? "%.1f %%".formatted(worst.getAsDouble() * PERCENT) : "-";
        return quality == null
                ? ROW.formatted(
                        name(analysis.run()),
                        "%.4f".formatted(times.receiveSeconds() * MICROS),
                        "%.4f".formatted(times.filterSeconds() * MICROS),
                        "%.4f".formatted(times.transmitSeconds() * MICROS),
                        "-",
                        "too few points (%d) / %s".formatted(fit.observations(), worstPercent))
                : ROW.formatted(
                        name(analysis.run()),
                        micros(times.receiveSeconds(), quality.receive()),
                        micros(times.filterSeconds(), quality.filter()),
                        micros(times.transmitSeconds(), quality.transmit()),
                        "%.4f".formatted(quality.r2()),
                        "%.1f %% / %s"
                                .formatted(
                                        quality.meanAbsoluteRelativeError() * PERCENT,
                                        worstPercent));
    }

    private static String name(Run run) {
        var filter = run.header().filter().label();
        var matching = run.matching();
        return matching == null ? filter : filter + ", " + matching;
    }

    private static String paper(ServiceTimes paper) {
        return ROW.formatted(
                        "  paper, 2005",
                        "%.3g".formatted(paper.receiveSeconds() * MICROS),
                        "%.3g".formatted(paper.filterSeconds() * MICROS),
                        "%.3g".formatted(paper.transmitSeconds() * MICROS),
                        "",
                        "")
                .replaceAll(" +(?=\\R$)", "");
    }

    /// Of a parameter that may be zero only the upper end says something.
    private static String micros(double seconds, Interval interval) {
        return interval.containsZero()
                ? "0 to %.5f".formatted(interval.high() * MICROS)
                : "%.4f (%.4f-%.4f)"
                        .formatted(
                                seconds * MICROS,
                                interval.low() * MICROS,
                                interval.high() * MICROS);
    }

    private static String rates(Measurement measurement) {
        var broker = measurement.brokerMicrosPerMessage();
        return "%-34s received %,9.0f/s  dispatched %,9.0f/s  overall %,9.0f/s  broker %s us/msg  "
                        .formatted(
                                measurement.point().label(),
                                measurement.receivedPerSecond(),
                                measurement.dispatchedPerSecond(),
                                measurement.overallPerSecond(),
                                broker.isPresent() ? "%.3f".formatted(broker.getAsDouble()) : "-")
                + "client %.3f us/msg%n".formatted(measurement.clientMicrosPerMessage());
    }
}
