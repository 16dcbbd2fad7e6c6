package winnow.loadgen.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.machine.MachineUse;
import winnow.loadgen.machine.WorkerMachine;
import winnow.loadgen.model.ServiceTimes;
import winnow.loadgen.workload.Extent;
import winnow.loadgen.workload.Figure;
import winnow.loadgen.workload.FilterKind;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.Scenarios;

/// Runs for tests.
public final class RunSamples {

    /// CPU time of the reference work on the quiet machine.
    private static final double REFERENCE_MICROS = 7_000;

    private RunSamples() {}

    /// The header of a run on two processors.
    public static RunHeader header(String scenario, LoadSettings settings) {
        return new RunHeader(
                "20261121-120000.1.1",
                scenario,
                "Title of " + scenario,
                "paper",
                figure(scenario),
                List.of(),
                FilterKind.PROPERTY.label(),
                settings,
                "a.b.Factory",
                "fake:none",
                "together",
                "winnow load run </script> /*SCRIPT*/",
                "2026-11-21T12:00:00Z",
                42,
                "fake",
                true,
                REFERENCE_MICROS,
                0.03,
                null,
                new Machine("Processor", 2, null, 1L << 34, "Linux", "JVM 25"),
                List.of());
    }

    private static Figure figure(String scenario) {
        return Scenarios.named(Scenarios.names().contains(scenario) ? scenario : "4.9-property")
                .figure();
    }

    /// The quick grid of 4.9 for a broker that follows the model exactly.
    public static Run exactRun(ServiceTimes times) {
        return exactRun("4.9-property", times);
    }

    /// The quick points of a scenario for a broker that follows the model exactly.
    public static Run exactRun(String name, ServiceTimes times) {
        var points = Scenarios.named(name).points(Extent.QUICK);
        return new Run(
                header(name, LoadSettings.defaults(Extent.QUICK, LoadSettings.NO_BOUND)),
                points.stream().map(point -> exact(point, times)).toList());
    }

    /// The same run with the rate of a bare socket.
    public static Run limited(Run run, int bodyBytes, double messagesPerSecond) {
        var limits = List.of(new SocketRate(bodyBytes, messagesPerSecond));
        return new Run(withLimits(run.header(), limits), run.measurements(), run.failures());
    }

    /// The beginning of a run that was stopped.
    ///
    /// @param points that were measured
    public static Run stopped(Run run, int points) {
        return new Run(run.header().planning(run.points()), run.measurements().subList(0, points));
    }

    /// The same run with other bodies.
    public static Run withBodies(Run run, int bytes) {
        return new Run(
                run.header(),
                run.measurements().stream()
                        .map(one -> at(one, one.point().with("bodyBytes", bytes)))
                        .toList());
    }

    /// The same figures at another point.
    public static Measurement at(Measurement from, Point point) {
        return new Measurement(
                from.position(),
                from.repetition(),
                point,
                from.seconds(),
                from.received(),
                from.dispatched(),
                from.brokerCpuSeconds(),
                from.compilerCpuSeconds(),
                from.clientCpuSeconds(),
                from.conditions(),
                from.matching(),
                from.accounting(),
                from.errors(),
                from.moments(),
                from.machines());
    }

    /// The same run with workers on two machines, the first of which was busier.
    public static Run onWorkers(Run run) {
        return onWorkers(run, false);
    }

    /// The same, with the second worker on the broker's machine or elsewhere.
    public static Run onWorkers(Run run, boolean here) {
        var machine = new Machine("Processor", 4, null, 1L << 34, "Linux", "JVM 25");
        var header =
                copy(
                        run.header(),
                        run.header().limits(),
                        run.header().machine(),
                        here,
                        List.of(
                                new WorkerMachine("10.0.0.2:7621", "publishes", machine, false),
                                new WorkerMachine("10.0.0.3:7621", "subscribes", machine, here)));
        var uses =
                List.of(
                        new MachineUse("10.0.0.2:7621", 0.7, 0.8, 0, 0.9, 1e6, 42e6),
                        new MachineUse("10.0.0.3:7621", 0.3, 0.4, 0, 0.2, 84e6, 2e6));
        return new Run(header, run.measurements().stream().map(point -> on(point, uses)).toList());
    }

    private static Measurement on(Measurement from, List<MachineUse> machines) {
        return new Measurement(
                from.position(),
                from.repetition(),
                from.point(),
                from.seconds(),
                from.received(),
                from.dispatched(),
                from.brokerCpuSeconds(),
                from.compilerCpuSeconds(),
                from.clientCpuSeconds(),
                from.conditions(),
                from.matching(),
                from.accounting(),
                from.errors(),
                from.moments().stream()
                        .map(moment ->
                                new Moment(
                                        moment.seconds(),
                                        moment.receivedPerSecond(),
                                        moment.dispatchedPerSecond(),
                                        moment.brokerProcessors(),
                                        moment.clientProcessors(),
                                        machines))
                        .toList(),
                machines);
    }

    /// The same run on another machine.
    public static Run on(Run run, Machine machine) {
        return new Run(copy(run.header(), run.header().limits(), machine), run.measurements());
    }

    private static RunHeader withLimits(RunHeader header, List<SocketRate> limits) {
        return copy(header, limits, header.machine());
    }

    private static RunHeader copy(RunHeader header, List<SocketRate> limits, Machine machine) {
        return copy(header, limits, machine, header.sharedMachine(), header.workerMachines());
    }

    private static RunHeader copy(
            RunHeader header,
            List<SocketRate> limits,
            Machine machine,
            boolean sharedMachine,
            List<WorkerMachine> workerMachines) {
        return new RunHeader(
                header.id(),
                header.scenario(),
                header.title(),
                header.source(),
                header.figure(),
                limits,
                header.filter(),
                header.settings(),
                header.provider(),
                header.url(),
                header.workers(),
                header.command(),
                header.started(),
                header.seed(),
                header.brokerCpuSource(),
                sharedMachine,
                header.referenceMicros(),
                header.busyBefore(),
                header.plannedPoints(),
                machine,
                workerMachines);
    }

    /// The same run, without the CPU time of the broker in some points.
    ///
    /// @param where it is unknown, by the index of the point
    public static Run withoutBrokerCpu(Run run, IntPredicate where) {
        var measurements = new ArrayList<>(run.measurements());
        for (var index = 0; index < measurements.size(); index++) {
            if (where.test(index)) {
                var from = measurements.get(index);
                measurements.set(
                        index,
                        copy(from, from.repetition(), null, from.conditions(), from.matching()));
            }
        }
        return new Run(run.header(), measurements, run.failures());
    }

    /// Adds a run to the files in a directory.
    public static void store(Run run, Path directory) throws IOException, LoadException {
        try (var files = new ResultFiles(directory)) {
            files.write(run.header());
            for (var measurement : run.measurements()) {
                files.write(run.header(), measurement);
            }
            for (var failed : run.failures()) {
                files.write(run.header(), failed);
            }
        }
    }

    /// The same run, in which broker and load waited for each other at one point.
    ///
    /// @param index of the point
    public static Run unsaturated(Run run, int index) {
        return with(run, index, new Conditions(0.7, 0, 0.2, 7_000.0, 7_000.0, 0.6, 0.8));
    }

    /// The same run, in which another process disturbed one point.
    ///
    /// @param index of the point
    /// @param before CPU time of the reference work before the point over that on the quiet machine
    /// @param after the same after it
    public static Run disturbed(Run run, int index, double before, double after) {
        return with(
                run,
                index,
                new Conditions(
                        1, 0, 0.2, REFERENCE_MICROS * before, REFERENCE_MICROS * after, 0.99, 0.5));
    }

    private static Run with(Run run, int index, Conditions conditions) {
        var measurements = new ArrayList<>(run.measurements());
        measurements.set(index, under(measurements.get(index), conditions));
        return new Run(run.header(), measurements, run.failures());
    }

    /// The same run and a point that failed.
    public static Run withFailure(Run run, String reason) {
        return run.with(
                new FailedPoint(
                        run.points() + 1, 2, run.measurements().getFirst().point(), reason));
    }

    /// The same run, in which no point gave figures.
    public static Run failed(Run run, String reason) {
        return new Run(
                run.header(),
                List.of(),
                run.measurements().stream()
                        .map(one ->
                                new FailedPoint(
                                        one.position(), one.repetition(), one.point(), reason))
                        .toList());
    }

    /// The same run and another attempt at one of its points, which failed.
    ///
    /// @param index of the point
    public static Run failedAgain(Run run, int index, String reason) {
        var first = run.measurements().get(index);
        return run.with(
                new FailedPoint(run.points() + 1, first.repetition(), first.point(), reason));
    }

    /// The same run, with another account of one of its points.
    ///
    /// @param index of the point
    public static Run accounted(Run run, int index, Accounting accounting) {
        var measurements = new ArrayList<>(run.measurements());
        var from = measurements.get(index);
        measurements.set(
                index,
                new Measurement(
                        from.position(),
                        from.repetition(),
                        from.point(),
                        from.seconds(),
                        from.received(),
                        from.dispatched(),
                        from.brokerCpuSeconds(),
                        from.compilerCpuSeconds(),
                        from.clientCpuSeconds(),
                        from.conditions(),
                        from.matching(),
                        accounting,
                        from.errors(),
                        from.moments(),
                        from.machines()));
        return new Run(run.header(), measurements, run.failures());
    }

    /// The same run, in which the broker did not say how it matched one point.
    ///
    /// @param index of the point
    public static Run unlabelled(Run run, int index) {
        var measurements = new ArrayList<>(run.measurements());
        measurements.set(index, matched(measurements.get(index), null));
        return new Run(run.header(), measurements, run.failures());
    }

    /// The same run, measured again with other service times.
    ///
    /// @param factor of every service time
    public static Run repeated(Run run, int repetition, double factor) {
        var measurements = new ArrayList<>(run.measurements());
        for (var measurement : run.measurements()) {
            if (measurement.repetition() == 1) {
                measurements.add(slower(measurement, repetition, factor));
            }
        }
        return new Run(run.header(), measurements, run.failures());
    }

    /// The same run, with other rates in one repetition.
    ///
    /// @param factor of the rates
    public static Run faster(Run run, int repetition, double factor) {
        return new Run(
                run.header(),
                run.measurements().stream()
                        .map(one ->
                                one.repetition() == repetition
                                        ? lasting(one, one.seconds() / factor)
                                        : one)
                        .toList(),
                run.failures());
    }

    /// The same run, said to be matched in another way.
    public static Run matched(Run run, String matching) {
        return new Run(
                run.header(),
                run.measurements().stream().map(one -> matched(one, matching)).toList(),
                run.failures());
    }

    private static Measurement matched(Measurement from, @Nullable String matching) {
        return copy(
                from,
                from.repetition(),
                Objects.requireNonNull(from.brokerCpuSeconds()),
                from.conditions(),
                matching);
    }

    private static Measurement slower(Measurement from, int repetition, double factor) {
        return copy(
                from,
                repetition,
                Objects.requireNonNull(from.brokerCpuSeconds()) * factor,
                from.conditions(),
                from.matching());
    }

    static Measurement under(Measurement from, Conditions conditions) {
        return copy(
                from,
                from.repetition(),
                Objects.requireNonNull(from.brokerCpuSeconds()),
                conditions,
                from.matching());
    }

    private static Measurement copy(
            Measurement from,
            int repetition,
            @Nullable Double brokerCpuSeconds,
            Conditions conditions,
            @Nullable String matching) {
        return new Measurement(
                from.position(),
                repetition,
                from.point(),
                from.seconds(),
                from.received(),
                from.dispatched(),
                brokerCpuSeconds,
                from.compilerCpuSeconds(),
                from.clientCpuSeconds(),
                conditions,
                matching,
                from.accounting(),
                from.errors(),
                from.moments(),
                from.machines());
    }

    /// A point without a model: no filters, unknown broker CPU time.
    public static Measurement withoutBrokerCpu() {
        return measurement(withoutFilters(), null);
    }

    static Measurement withBrokerCpu(double seconds) {
        return measurement(withoutFilters(), seconds);
    }

    static Measurement withoutMessages() {
        return measurement(withoutFilters(), 0.1, 0);
    }

    /// The same figures within another time.
    static Measurement lasting(Measurement from, double seconds) {
        return new Measurement(
                from.position(),
                from.repetition(),
                from.point(),
                seconds,
                from.received(),
                from.dispatched(),
                from.brokerCpuSeconds(),
                from.compilerCpuSeconds(),
                from.clientCpuSeconds(),
                from.conditions(),
                from.matching(),
                from.accounting(),
                from.errors(),
                from.moments(),
                from.machines());
    }

    private static Point withoutFilters() {
        return Point.of(FilterKind.NONE, 1, 1, 0);
    }

    private static Measurement exact(Point point, ServiceTimes times) {
        var service = times.serviceSeconds(point.installedFilters(), point.matching());
        return measurement(point, 100_000 * service);
    }

    private static Measurement measurement(Point point, @Nullable Double brokerCpuSeconds) {
        return measurement(point, brokerCpuSeconds, 100_000);
    }

    private static Measurement measurement(
            Point point, @Nullable Double brokerCpuSeconds, long received) {
        return new Measurement(
                1,
                1,
                point,
                2,
                received,
                received * point.matching(),
                brokerCpuSeconds,
                0.4,
                0.5,
                new Conditions(
                        brokerCpuSeconds == null ? 0.99 : (brokerCpuSeconds + 0.4 + 0.5) / 4,
                        0.01,
                        0.2,
                        REFERENCE_MICROS,
                        REFERENCE_MICROS,
                        0.99,
                        0.5),
                "linear",
                new Accounting(100_000, 100_000, 0, 0, 0, 0),
                List.of(),
                List.of(
                        new Moment(0.1, 9_000, 9_000, 0.5, 0.7, List.of()),
                        new Moment(0.2, 10_000, 10_000, null, 0.8, List.of())),
                List.of());
    }
}
