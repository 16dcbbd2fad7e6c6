package winnow.loadgen.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.machine.MachineUse;
import winnow.loadgen.machine.WorkerMachine;
import winnow.loadgen.model.Interval;
import winnow.loadgen.model.ServiceTimeFit;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.run.FailedPoint;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.RunHeader;
import winnow.loadgen.run.SocketRate;
import winnow.loadgen.run.Verdict;
import winnow.loadgen.workload.Figure;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.MessageSource;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.PointUse;

/// Data of the page, in the units it shows; an unknown figure is null. Immutable.
record ReportData(List<RunData> runs) {

    private static final double MICROS = 1e6;
    private static final double PERCENT = 100;

    /// Instead of the verdict of a measurement that another has replaced.
    private static final String REPLACED = "replaced";

    /// @param sharedMachine whether the broker ran on the machine of the load
    /// @param fitted null without a model
    /// @param points with figures, whether these may be used or not
    /// @param failures points without figures
    /// @param watched whose course is shown; null if none was watched
    record RunData(
            String id,
            String scenario,
            String title,
            String source,
            Figure figure,
            List<SocketRate> limits,
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
            List<MachineData> workerMachines,
            @Nullable FitData fitted,
            List<PointData> points,
            List<FailureData> failures,
            @Nullable Measurement watched) {}

    /// A machine with a worker; shares and rates are the highest of all points.
    record MachineData(
            WorkerMachine machine,
            @Nullable Double workerShare,
            @Nullable Double busyShare,
            @Nullable Double memoryShare,
            @Nullable Double receivedBytesPerSecond,
            @Nullable Double sentBytesPerSecond) {}

    record Setting(String name, String value) {}

    /// @param meanErrorPercent null, as the lack of fit, if there are too few points to tell
    /// @param lackOfFit in words
    /// @param heldOut how well unseen points were predicted, in words; null without such points
    /// @param leftOut measurements that are invalid or failed
    record FitData(
            List<Parameter> parameters,
            @Nullable Double meanErrorPercent,
            @Nullable String lackOfFit,
            @Nullable String heldOut,
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
    record FailureData(int position, Point point, String reason) {}

    /// @param saturated overall throughput of a fully loaded broker CPU, messages per second
    /// @param serviceMicros B as measured; null, as what follows from it, if the point failed
    /// @param modelMicros B as the model has it
    /// @param errorPercent the model's B against the measured one
    /// @param othersShare what others had of a machine that broker and load share
    /// @param slowdown what a CPU second was worth less: see [winnow.loadgen.run.Disturbance]
    /// @param weight what the point counts in the fit
    /// @param limit what kept it from being faster
    /// @param disturbed whether others had a part in its throughput
    /// @param verdict `valid`, `invalid`, `failed`, or `replaced` by a measurement in a calmer
    ///   moment
    /// @param reasons why its figures may not be used
    /// @param notes rules of the paper that it does not keep or that could not be checked
    record PointData(
            int position,
            int repetition,
            Point point,
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
            double slowdown,
            double weight,
            String limit,
            boolean disturbed,
            long lost,
            long doubled,
            String verdict,
            List<String> reasons,
            List<String> notes) {

        int r() {
            return point.matching();
        }

        int filters() {
            return point.installedFilters();
        }

        boolean isHeldOut() {
            return point.use() == PointUse.HELD_OUT;
        }

        boolean isValid() {
            return verdict.equals("valid");
        }
    }

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
                header.figure()
                        .apart(
                                analysis.run().measurements().stream()
                                        .map(Measurement::point)
                                        .toList()),
                header.limits(),
                header.filter(),
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
                machineData(analysis.run()),
                fitData(analysis),
                pointData(analysis),
                analysis.run().failures().stream().map(ReportData::failureData).toList(),
                watched(analysis.run()));
    }

    private static List<MachineData> machineData(Run run) {
        return run.header().workerMachines().stream()
                .map(machine ->
                        new MachineData(
                                machine,
                                most(run, machine, MachineUse::workerShare),
                                most(run, machine, MachineUse::busyShare),
                                most(run, machine, MachineUse::memoryShare),
                                most(run, machine, MachineUse::receivedBytesPerSecond),
                                most(run, machine, MachineUse::sentBytesPerSecond)))
                .toList();
    }

    private static @Nullable Double most(
            Run run, WorkerMachine machine, ToDoubleFunction<MachineUse> figure) {
        var most =
                run.measurements().stream()
                        .flatMap(point -> point.machines().stream())
                        .filter(use -> use.worker().equals(machine.worker()))
                        .mapToDouble(figure)
                        .max();
        return most.isPresent() ? known(most.getAsDouble()) : null;
    }

    /// The measurement that shows the most of the course of a point.
    private static @Nullable Measurement watched(Run run) {
        return run.valid().stream()
                .filter(one -> one.moments().size() > 1)
                .max(Comparator.comparingInt(one -> one.moments().size()))
                .orElse(null);
    }

    private static List<Setting> settings(RunHeader header) {
        var settings = header.settings();
        return List.of(
                new Setting("warm-up", seconds(settings.warmup()) + " (paper: 5 s)"),
                new Setting("measured", seconds(settings.duration()) + " (paper: 90 s)"),
                new Setting("cool-down", seconds(settings.cooldown()) + " (paper: 5 s)"),
                new Setting(
                        "repetitions", settings.repetitions() + ", each in another random order"),
                new Setting(
                        "processors in use before the run",
                        ReportText.share(header.busyBefore()) + " (paper: at most 2 %)"),
                new Setting("for disturbed ones again", seconds(settings.repeatBudget())),
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
        return new FailureData(failed.position(), failed.point(), failed.reason());
    }

    private static @Nullable FitData fitData(RunAnalysis analysis) {
        var fit = analysis.fit();
        if (fit == null) {
            return null;
        }
        var quality = fit.quality();
        return new FitData(
                parameters(fit, analysis.paper()),
                quality == null ? null : quality.meanAbsoluteRelativeError() * PERCENT,
                quality == null ? null : ReportText.lackOfFit(quality),
                analysis.heldOutPoints() == 0 ? null : ReportText.heldOut(analysis),
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
        var replaced = analysis.run().replaced();
        for (var measurement : analysis.run().measurements()) {
            var verdict =
                    replaced.contains(measurement)
                            ? REPLACED
                            : analysis.run().verdict(measurement).status().label();
            points.add(pointData(measurement, analysis.fit(), analysis.run(), verdict));
        }
        return points;
    }

    private static PointData pointData(
            Measurement measurement, @Nullable ServiceTimeFit fit, Run run, String status) {
        var point = measurement.point();
        var verdict = run.verdict(measurement);
        var service =
                verdict.status() == Verdict.Status.FAILED
                        ? null
                        : (Double) measurement.serviceSeconds();
        var validity = run.validity(measurement);
        var model =
                fit == null
                        ? null
                        : (Double)
                                fit.times()
                                        .serviceSeconds(point.installedFilters(), point.matching());
        return new PointData(
                measurement.position(),
                measurement.repetition(),
                point,
                measurement.receivedPerSecond(),
                measurement.dispatchedPerSecond(),
                measurement.overallPerSecond(),
                service == null ? null : measurement.saturatedPerSecond(),
                service == null ? null : service * MICROS,
                model == null ? null : model * MICROS,
                model == null || service == null ? null : (model / service - 1) * PERCENT,
                known(measurement.brokerMicrosPerMessage().orElse(Double.NaN)),
                known(measurement.clientMicrosPerMessage()),
                known(validity.brokerShare()),
                known(validity.compilerShare()),
                validity.clientShare(),
                known(validity.machineShare()),
                known(measurement.conditions().machineStolenShare()),
                known(validity.othersShare()),
                known(validity.memoryShare()),
                validity.disturbance().slowdown(),
                validity.disturbance().weight(),
                validity.limit().label(),
                validity.isDisturbed(),
                measurement.accounting().lost(),
                measurement.accounting().doubled(),
                status,
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
