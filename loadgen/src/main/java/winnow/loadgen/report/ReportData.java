package winnow.loadgen.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.model.Interval;
import winnow.loadgen.model.ServiceTimeFit;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.FailedPoint;
import winnow.loadgen.run.Machine;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.RunHeader;
import winnow.loadgen.run.Verdict;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.MessageSource;

/// What the page shows, in the units it shows; an unknown figure is null. Immutable.
record ReportData(List<RunData> runs) {

    private static final double MICROS = 1e6;
    private static final double PERCENT = 100;

    /// @param sharedMachine whether the broker ran on the machine of the load
    /// @param fitted null without a model
    /// @param points with figures, whether these may be used or not
    /// @param failures points without figures
    record RunData(
            String id,
            String scenario,
            String title,
            String source,
            String filter,
            @Nullable String matching,
            String provider,
            String url,
            String workers,
            String command,
            String started,
            String seed,
            String brokerCpuSource,
            boolean brokerCpuKnown,
            List<Setting> settings,
            boolean sharedMachine,
            Machine machine,
            @Nullable FitData fitted,
            List<PointData> points,
            List<FailureData> failures) {}

    record Setting(String name, String value) {}

    /// @param r2 null, as the mean error, if there are too few points to tell
    /// @param leftOut measurements that are invalid or failed
    record FitData(
            List<Parameter> parameters,
            @Nullable Double r2,
            @Nullable Double meanErrorPercent,
            @Nullable Double worstHeldOutPercent,
            double conditionNumber,
            int observations,
            int leftOut) {}

    /// @param value microseconds, as the paper's
    /// @param interval seconds; null if there are too few points to tell
    record Parameter(
            String symbol,
            String meaning,
            double value,
            @Nullable Interval interval,
            @Nullable Double paper) {}

    /// A point without figures.
    record FailureData(int position, int publishers, int r, int n, String reason) {}

    /// @param saturated overall throughput of a fully loaded broker CPU, messages per second
    /// @param serviceMicros B as measured; null, as what follows from it, if the point failed
    /// @param modelMicros B as the model has it
    /// @param errorPercent the model's B against the measured one
    /// @param othersShare what others had of a machine that broker and load share
    /// @param verdict `valid`, `invalid` or `failed`
    /// @param reasons why its figures may not be used
    /// @param notes rules of the paper that it does not keep or that could not be checked
    record PointData(
            int position,
            int repetition,
            String use,
            int publishers,
            int r,
            int n,
            int filters,
            double received,
            double dispatched,
            double overall,
            @Nullable Double saturated,
            @Nullable Double serviceMicros,
            @Nullable Double modelMicros,
            @Nullable Double errorPercent,
            @Nullable Double brokerMicrosPerMessage,
            @Nullable Double clientMicrosPerMessage,
            @Nullable Double brokerShare,
            @Nullable Double compilerShare,
            double clientShare,
            @Nullable Double machineShare,
            @Nullable Double stolenShare,
            @Nullable Double othersShare,
            @Nullable Double memoryShare,
            long lost,
            long doubled,
            String verdict,
            List<String> reasons,
            List<String> notes) {}

    static ReportData of(List<RunAnalysis> analyses) {
        return new ReportData(analyses.stream().map(ReportData::runData).toList());
    }

    private static RunData runData(RunAnalysis analysis) {
        var header = analysis.run().header();
        return new RunData(
                header.id(),
                header.scenario(),
                header.title(),
                header.source(),
                header.filter().label(),
                analysis.run().matching(),
                header.provider(),
                header.url(),
                header.workers(),
                header.command(),
                header.started(),
                Long.toString(header.seed()),
                header.brokerCpuSource(),
                analysis.run().brokerCpuKnown(),
                settings(header),
                header.sharedMachine(),
                header.machine(),
                fitData(analysis),
                pointData(analysis),
                analysis.run().failures().stream().map(ReportData::failureData).toList());
    }

    private static List<Setting> settings(RunHeader header) {
        var settings = header.settings();
        return List.of(
                new Setting("warm-up", seconds(settings.warmup())),
                new Setting("measured", seconds(settings.duration())),
                new Setting("cool-down", seconds(settings.cooldown())),
                new Setting("repetitions", Integer.toString(settings.repetitions())),
                new Setting("body", "%,d bytes".formatted(settings.bodyBytes())),
                new Setting("delivery mode", settings.delivery().label()),
                new Setting(
                        "confirmation",
                        settings.async() ? "completion listener" : "as send() does"),
                new Setting("copies in flight", inFlight(settings)),
                new Setting("messages", messages(settings.messages())),
                new Setting("worker processes", header.workers()));
    }

    private static String messages(MessageSource source) {
        return switch (source) {
            case CACHED -> "made in advance, sent over and over";
            case FRESH -> "a new one for each send";
        };
    }

    private static FailureData failureData(FailedPoint failed) {
        var point = failed.point();
        return new FailureData(
                failed.position(),
                point.publishers(),
                point.matching(),
                point.others(),
                failed.reason());
    }

    private static @Nullable FitData fitData(RunAnalysis analysis) {
        var fit = analysis.fit();
        if (fit == null) {
            return null;
        }
        var quality = fit.quality();
        var worst = analysis.worstPredictionError();
        return new FitData(
                parameters(fit, analysis.paper()),
                quality == null ? null : quality.r2(),
                quality == null ? null : quality.meanAbsoluteRelativeError() * PERCENT,
                worst.isPresent() ? worst.getAsDouble() * PERCENT : null,
                fit.conditionNumber(),
                fit.observations(),
                analysis.run().leftOut().size());
    }

    private static List<Parameter> parameters(ServiceTimeFit fit, @Nullable ServiceTimes paper) {
        var times = fit.times();
        var quality = fit.quality();
        return List.of(
                parameter(
                        "t_rcv",
                        "receive one message",
                        times.receiveSeconds(),
                        quality == null ? null : quality.receive(),
                        paper == null ? null : paper.receiveSeconds()),
                parameter(
                        "t_fltr",
                        "try one installed filter",
                        times.filterSeconds(),
                        quality == null ? null : quality.filter(),
                        paper == null ? null : paper.filterSeconds()),
                parameter(
                        "t_tx",
                        "forward one copy",
                        times.transmitSeconds(),
                        quality == null ? null : quality.transmit(),
                        paper == null ? null : paper.transmitSeconds()));
    }

    private static Parameter parameter(
            String symbol,
            String meaning,
            double seconds,
            @Nullable Interval interval,
            @Nullable Double paperSeconds) {
        return new Parameter(
                symbol,
                meaning,
                seconds * MICROS,
                interval,
                paperSeconds == null ? null : paperSeconds * MICROS);
    }

    private static List<PointData> pointData(RunAnalysis analysis) {
        var points = new ArrayList<PointData>();
        for (var measurement : analysis.run().measurements()) {
            points.add(pointData(measurement, analysis.fit(), analysis.run()));
        }
        return points;
    }

    private static PointData pointData(
            Measurement measurement, @Nullable ServiceTimeFit fit, Run run) {
        var point = measurement.point();
        var verdict = run.verdict(measurement);
        var observation =
                verdict.status() == Verdict.Status.FAILED ? null : measurement.observation();
        var validity = run.validity(measurement);
        return new PointData(
                measurement.position(),
                measurement.repetition(),
                point.use().label(),
                point.publishers(),
                point.matching(),
                point.others(),
                point.installedFilters(),
                measurement.receivedPerSecond(),
                measurement.dispatchedPerSecond(),
                measurement.overallPerSecond(),
                observation == null ? null : measurement.saturatedPerSecond(),
                observation == null ? null : observation.serviceSeconds() * MICROS,
                fit == null
                        ? null
                        : fit.times().serviceSeconds(point.installedFilters(), point.matching())
                                * MICROS,
                fit == null || observation == null
                        ? null
                        : observation.relativeError(fit.times()) * PERCENT,
                known(measurement.brokerMicrosPerMessage().orElse(Double.NaN)),
                known(measurement.clientMicrosPerMessage()),
                known(validity.brokerShare()),
                known(validity.compilerShare()),
                validity.clientShare(),
                known(validity.machineShare()),
                known(measurement.machineStolenShare()),
                known(validity.othersShare()),
                known(validity.memoryShare()),
                measurement.accounting().lost(),
                measurement.accounting().doubled(),
                verdict.status().label(),
                verdict.reasons(),
                verdict.notes());
    }

    private static @Nullable Double known(double value) {
        return Double.isFinite(value) ? value : null;
    }

    private static String seconds(Duration duration) {
        return "%s s".formatted(duration.toMillis() / 1e3);
    }

    private static String inFlight(LoadSettings settings) {
        var bounds = new ArrayList<String>();
        if (settings.maxInFlight() > 0) {
            bounds.add("at most %,d".formatted(settings.maxInFlight()));
        }
        if (settings.maxInFlightPerSubscriber() > 0) {
            bounds.add("at most %,d to each".formatted(settings.maxInFlightPerSubscriber()));
        }
        return bounds.isEmpty() ? "broker's flow control" : String.join(", ", bounds);
    }
}
