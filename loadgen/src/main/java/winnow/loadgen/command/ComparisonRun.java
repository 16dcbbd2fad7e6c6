package winnow.loadgen.command;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.BrokerProbe;
import winnow.loadgen.machine.Calibrator;
import winnow.loadgen.machine.CpuClock;
import winnow.loadgen.machine.Idleness;
import winnow.loadgen.machine.ThreadProbe;
import winnow.loadgen.machine.TopicMatching;
import winnow.loadgen.option.LoadSession;
import winnow.loadgen.provider.JarCache;
import winnow.loadgen.provider.PeerBroker;
import winnow.loadgen.provider.PeerBroker.Places;
import winnow.loadgen.provider.ProviderFile;
import winnow.loadgen.report.ComparedProvider;
import winnow.loadgen.report.ComparisonPage;
import winnow.loadgen.report.ProviderComparison;
import winnow.loadgen.run.FailedPoint;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.LoadRun;
import winnow.loadgen.run.PointRunner;
import winnow.loadgen.run.ResultFiles;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.RunProgress;
import winnow.loadgen.run.WorkerSource;
import winnow.loadgen.run.Workers;
import winnow.loadgen.worker.Failures;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.workload.Extent;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.Scenario;

/// Measures several providers in turns. In each repetition every provider has one turn, in random
/// order: its broker is started, warmed up, measured at every point and stopped, so that it has the
/// machine to itself. Owned by the thread of the command.
final class ComparisonRun implements AutoCloseable {

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    /// Expected time until a broker accepts connections, and until it has ended.
    private static final Duration START = Duration.ofSeconds(4);

    /// As shells report SIGINT.
    private static final int INTERRUPTED = 130;

    private final Plan plan;
    private final RunProgress progress;
    private final PrintStream errors;
    private final Calibrator calibrator;
    private final List<Entrant> entrants;
    private final @Nullable Double busyBefore;
    private final Thread atInterrupt;
    private volatile List<ComparedProvider> measured = List.of();
    private volatile @Nullable ResultFiles written;
    private volatile boolean stopped;
    private int runs;

    /// @param cache has the jars of brokers and providers
    /// @param heap of every broker
    /// @param seed of all orders
    /// @param command as the user typed it, for the report
    /// @param directory gets the results
    record Plan(
            List<ProviderFile> providers,
            List<Scenario> scenarios,
            Extent extent,
            LoadSettings settings,
            Duration firstWarmup,
            List<String> workerOptions,
            JarCache cache,
            String heap,
            long seed,
            String command,
            Path directory) {

        /// Providers in the order of their turns.
        List<ProviderFile> order(int repetition) {
            var order = new ArrayList<>(providers);
            Collections.shuffle(order, random(repetition));
            return order;
        }

        /// The same for every provider, so that all have the points in one order.
        Random random(int repetition) {
            return new Random(seed + repetition);
        }

        private List<Point> points() {
            return scenarios.stream().flatMap(one -> one.points(extent).stream()).toList();
        }

        private int stepsOfTurn() {
            return 1 + LoadRun.warmUpSteps(points().size(), firstWarmup) + points().size();
        }
    }

    /// Results of a provider so far.
    private static final class Entrant {
        private final ProviderFile file;
        private final Map<String, Run> runs = new LinkedHashMap<>();
        private final List<String> problems = new ArrayList<>();

        /// True if it is not tried again.
        private boolean isOut;

        private boolean hasFailed;

        private Entrant(ProviderFile file) {
            this.file = file;
        }

        private void leave(String problem, boolean failed) {
            problems.add(problem);
            isOut = true;
            hasFailed |= failed;
        }
    }

    /// @param errors shows progress
    ComparisonRun(Plan plan, PrintStream errors) throws LoadException, InterruptedException {
        this.plan = plan;
        this.errors = errors;
        LoadSession.make(plan.directory());
        entrants = plan.providers().stream().map(Entrant::new).toList();
        busyBefore = Idleness.busyShare(LoadSession.Setup.IDLE_TIME);
        calibrator = new Calibrator();
        progress = RunProgress.on(errors, "compare");
        atInterrupt = new Thread(this::stop, "interrupted");
        Runtime.getRuntime().addShutdownHook(atInterrupt);
    }

    /// Measures all turns.
    ProviderComparison measure() throws InterruptedException {
        var turns = plan.settings().repetitions() * entrants.size();
        var points = plan.points().size();
        for (var turn = 0; turn < turns; turn++) {
            progress.expect(1, START);
            progress.expect(
                    LoadRun.warmUpSteps(points, plan.firstWarmup()),
                    LoadRun.warmUpStep(points, plan.firstWarmup()));
            progress.expect(points, plan.settings().estimatedTime());
        }
        var done = 0;
        for (var repetition = 1; repetition <= plan.settings().repetitions(); repetition++) {
            for (var file : plan.order(repetition)) {
                var entrant =
                        entrants.stream()
                                .filter(one -> one.file.name().equals(file.name()))
                                .findFirst()
                                .orElseThrow();
                if (!entrant.isOut) {
                    turn(entrant, repetition);
                }
                done += plan.stepsOfTurn();
                progress.skipTo(done);
            }
        }
        entrants.forEach(ComparisonRun::noteFailedPoints);
        keep();
        progress.close();
        return ProviderComparison.of(measured);
    }

    private void turn(Entrant entrant, int repetition) throws InterruptedException {
        var name = entrant.file.name();
        progress.begin("start " + name);
        try {
            LoadSession.make(plan.directory().resolve(name));
            start(entrant, repetition);
        } catch (LoadException | IOException | RuntimeException failed) {
            var reason = Failures.describe(failed);
            entrant.leave(reason, true);
            progress.fail(name + ": " + reason);
        }
        keep();
    }

    private void start(Entrant entrant, int repetition)
            throws LoadException, IOException, InterruptedException {
        var file = entrant.file;
        var cache = plan.cache();
        var logs = plan.directory().resolve(file.name());
        var started = file.broker();
        var brokerJars =
                started == null || started.artifacts().isEmpty()
                        ? null
                        : cache.jars(
                                file.name(), started.artifacts(), started.without(), this::say);
        var places = Places.with(brokerJars, cache.home());
        var clientJars = clientJars(file, places);
        try (var broker =
                started == null
                        ? null
                        : PeerBroker.start(file, places, plan.heap(), logs.resolve("broker.log"))) {
            var provider = places.provider(file);
            var source =
                    Workers.local(
                            provider,
                            clientJars,
                            Workers.Layout.TOGETHER,
                            plan.workerOptions(),
                            logs);
            try (var workers = Workers.start(provider, source)) {
                progress.end("", "started");
                measure(entrant, repetition, setup(broker, provider, source), workers);
            }
        }
    }

    private @Nullable Path clientJars(ProviderFile file, Places places)
            throws LoadException, InterruptedException {
        var client = file.client();
        if (!client.artifacts().isEmpty()) {
            return plan.cache()
                    .jars(file.name() + "-client", client.artifacts(), List.of(), this::say);
        }
        var jars = client.jars();
        return jars == null ? null : Path.of(places.in(jars));
    }

    private void measure(Entrant entrant, int repetition, LoadSession.Setup setup, Workers workers)
            throws LoadException, IOException, InterruptedException {
        var isWarm = false;
        for (var scenario : plan.scenarios()) {
            if (entrant.isOut) {
                return;
            }
            var id = newId();
            var runner =
                    new PointRunner(
                            workers,
                            setup.broker(),
                            // OpenMQ wants names like those of Java.
                            entrant.file.client().topicPrefix() + "." + id.replace('-', '_'),
                            PointRunner.PATIENCE,
                            calibrator);
            var points = scenario.points(plan.extent());
            try (var files = open(directory(entrant.file, scenario))) {
                var load = new LoadRun(runner, plan.settings(), files, progress);
                if (!isWarm) {
                    load.tryWarmUp(plan.points(), plan.firstWarmup());
                    isWarm = true;
                }
                var run = entrant.runs.get(scenario.name());
                if (run == null) {
                    var reference = calibrator.referenceMicros();
                    run =
                            load.begin(
                                    setup.header(
                                            id,
                                            scenario,
                                            points,
                                            List.of(),
                                            plan.seed(),
                                            reference.isPresent() ? reference.getAsDouble() : null,
                                            workers),
                                    points);
                }
                var more =
                        load.repetition(
                                run,
                                points,
                                plan.firstWarmup(),
                                repetition,
                                plan.random(repetition));
                entrant.runs.put(scenario.name(), more);
                keep();
                leaveIfNothingCame(entrant, run, more);
                var unwritten = files.failure();
                if (unwritten.isPresent()) {
                    throw unwritten.get();
                }
            }
        }
    }

    /// Files for results, unless the command is being stopped.
    private ResultFiles open(Path directory) throws IOException, LoadException {
        var files = new ResultFiles(directory);
        written = files;
        if (stopped) {
            files.freeze();
        }
        return files;
    }

    private LoadSession.Setup setup(
            @Nullable PeerBroker broker, Provider provider, WorkerSource source) {
        var probe =
                new BrokerProbe(
                        broker == null ? CpuClock.unavailable() : CpuClock.ofBroker(broker.pid()),
                        broker == null
                                ? ThreadProbe.unavailable()
                                : ThreadProbe.ofProcess(broker.pid()),
                        TopicMatching.unknown(),
                        broker != null || provider.isOnThisMachine());
        return new LoadSession.Setup(
                provider, source, probe, plan.settings(), plan.command(), "compare", busyBefore);
    }

    /// A provider that cannot do what is asked for, or whose points all fail, has no further turns.
    private static void leaveIfNothingCame(Entrant entrant, Run before, Run after) {
        var unsupported =
                failures(after).filter(ProviderComparison::isUnsupported).findFirst().orElse(null);
        if (unsupported != null) {
            entrant.leave("cannot do this: " + unsupported, false);
        } else if (after.measurements().size() == before.measurements().size()) {
            entrant.isOut = true;
        }
    }

    /// Reasons of points without figures and of those with wrong ones.
    private static Stream<String> failures(Run run) {
        return Stream.concat(
                run.failures().stream().map(FailedPoint::reason),
                run.measurements().stream()
                        .flatMap(measurement -> measurement.problems().stream()));
    }

    private static void noteFailedPoints(Entrant entrant) {
        for (var run : entrant.runs.values()) {
            var isUnsupported = failures(run).anyMatch(ProviderComparison::isUnsupported);
            if (run.failedPoints() > 0 && !isUnsupported) {
                entrant.leave(
                        "%s: %d of %d measurements failed, the first: %s"
                                .formatted(
                                        run.header().scenario(),
                                        run.failedPoints(),
                                        run.slots(),
                                        failures(run).findFirst().orElse("unknown")),
                        true);
            }
        }
    }

    private Path directory(ProviderFile file, Scenario scenario) {
        return plan.directory().resolve(file.name()).resolve(scenario.name());
    }

    /// Reasons of the providers that failed, a sentence each.
    List<String> failures() {
        return entrants.stream()
                .filter(entrant -> entrant.hasFailed)
                .map(entrant -> entrant.file.name() + ": " + entrant.problems.getFirst())
                .toList();
    }

    /// Writes the page of a comparison.
    ///
    /// @return its path
    Path write(ProviderComparison comparison) throws LoadException {
        var page = plan.directory().resolve("report.html");
        var data =
                plan.providers().stream()
                        .flatMap(file ->
                                plan.scenarios().stream()
                                        .map(scenario ->
                                                directory(file, scenario).resolve("points.csv")))
                        .toList();
        ComparisonPage.write(comparison, page, data);
        return page;
    }

    private void keep() {
        measured =
                entrants.stream()
                        .map(entrant ->
                                new ComparedProvider(
                                        entrant.file,
                                        List.copyOf(entrant.runs.values()),
                                        entrant.problems))
                        .toList();
    }

    private void say(String text) {
        progress.show(text + System.lineSeparator());
    }

    private String newId() {
        return "%s.%d.%d"
                .formatted(STAMP.format(Instant.now()), ProcessHandle.current().pid(), ++runs);
    }

    /// At Ctrl-C. Brokers and workers end with this process; the points that end with them are no
    /// results.
    private void stop() {
        stopped = true;
        var files = written;
        if (files != null) {
            files.freeze();
        }
        var complete = measured;
        try {
            if (complete.stream().allMatch(provider -> provider.runs().isEmpty())) {
                throw new LoadException("no scenario is complete");
            }
            var page = write(ProviderComparison.of(complete));
            errors.printf("%n%nStopped. What was measured so far: %s%n", page.toUri());
        } catch (LoadException | RuntimeException unwritten) {
            errors.printf(
                    "%n%nStopped. Points so far are in %s; no report: %s%n",
                    plan.directory(), Failures.describe(unwritten));
        }
        errors.flush();
        Runtime.getRuntime().halt(INTERRUPTED);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atInterrupt);
        } catch (IllegalStateException ending) {
            // The hook runs, and ends the process.
            return;
        }
        progress.close();
        calibrator.close();
    }
}
