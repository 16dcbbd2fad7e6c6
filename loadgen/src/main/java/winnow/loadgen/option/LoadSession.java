package winnow.loadgen.option;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import winnow.loadgen.machine.BrokerProbe;
import winnow.loadgen.machine.Calibrator;
import winnow.loadgen.machine.Machine;
import winnow.loadgen.report.HtmlReport;
import winnow.loadgen.report.LightLoad;
import winnow.loadgen.report.RunAnalysis;
import winnow.loadgen.run.BareSocket;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.LoadRun;
import winnow.loadgen.run.PointRunner;
import winnow.loadgen.run.ResultFiles;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.RunHeader;
import winnow.loadgen.run.RunProgress;
import winnow.loadgen.run.SocketRate;
import winnow.loadgen.run.WorkerSource;
import winnow.loadgen.run.Workers;
import winnow.loadgen.worker.Failures;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.Scenario;

/// Workers that are connected to one broker, and the directory that gets their results. Owned by
/// the thread of the command.
public final class LoadSession implements AutoCloseable {

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    /// As shells report SIGINT.
    private static final int INTERRUPTED = 130;

    private final Setup setup;
    private final Workers workers;
    private final @Nullable Calibrator calibrator;
    private final ResultFiles files;
    private final RunProgress progress;
    private final PrintStream errors;
    private final Thread atInterrupt;
    private volatile Supplier<String> farewell;
    private final Set<String> ids = ConcurrentHashMap.newKeySet();
    private int runs;
    private Duration warmUp = Duration.ZERO;

    /// @param workers source of the load
    /// @param command as the user typed it, for the report
    /// @param title of the progress
    /// @param busyBefore share of all processors in use before anything began; null if unknown
    public record Setup(
            Provider provider,
            WorkerSource workers,
            BrokerProbe broker,
            LoadSettings settings,
            String command,
            String title,
            @Nullable Double busyBefore) {

        /// Time in which the use of the processors is looked at before a run.
        public static final Duration IDLE_TIME = Duration.ofMillis(500);

        /// Description of a run.
        ///
        /// @param id unlike that of any other run
        /// @param limits rates of a bare socket, if the scenario asks for them
        /// @param seed of the order of points
        /// @param referenceMicros see [RunHeader#referenceMicros]
        public RunHeader header(
                String id,
                Scenario scenario,
                List<Point> points,
                List<SocketRate> limits,
                long seed,
                @Nullable Double referenceMicros,
                Workers workers)
                throws IOException {
            return new RunHeader(
                    id,
                    scenario.name(),
                    scenario.title(),
                    scenario.source(),
                    scenario.figure(),
                    limits,
                    filters(points),
                    settings,
                    provider.factoryClass(),
                    provider.url(),
                    workers.label(),
                    command,
                    Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                    seed,
                    broker.cpu().source(),
                    broker.sharesMachine(),
                    referenceMicros,
                    busyBefore,
                    null,
                    Machine.current(),
                    workers.machines());
        }

        private static String filters(List<Point> points) {
            return points.stream()
                    .map(point -> point.filter().label())
                    .distinct()
                    .collect(Collectors.joining(", "));
        }
    }

    private LoadSession(
            Setup setup,
            Workers workers,
            @Nullable Calibrator calibrator,
            ResultFiles files,
            RunProgress progress,
            PrintStream errors) {
        this.setup = setup;
        this.workers = workers;
        this.calibrator = calibrator;
        this.files = files;
        this.errors = errors;
        this.progress = progress;
        farewell = this::whatIsReported;
        atInterrupt = new Thread(this::stop, "interrupted");
        Runtime.getRuntime().addShutdownHook(atInterrupt);
    }

    /// At Ctrl-C. Ends the process at once, or the points that end with it would count as failed.
    private void stop() {
        files.freeze();
        errors.print(farewell.get());
        errors.flush();
        Runtime.getRuntime().halt(INTERRUPTED);
    }

    /// Writes the report of what this command has measured so far, and says where all of it is.
    private String whatIsReported() {
        var directory = files.directory();
        try {
            var points = directory.resolve("points.jsonl");
            var analyses =
                    ResultFiles.read(points, _ -> {}).stream()
                            .filter(run -> ids.contains(run.header().id()) && run.points() > 0)
                            .map(RunAnalysis::of)
                            .toList();
            if (analyses.isEmpty()) {
                return whatIsThere(directory);
            }
            var data = List.of(directory.resolve("points.csv"), points);
            HtmlReport.write(analyses, null, page(), data);
            return "%s  The report of this command's points is %s%n"
                    .formatted(whatIsThere(directory), page());
        } catch (LoadException | RuntimeException failed) {
            return "%s  There is no report: %s%n"
                    .formatted(whatIsThere(directory), Failures.describe(failed));
        }
    }

    /// Words for the results that a command leaves when it is stopped, and for going on.
    public static String whatIsThere(Path directory) {
        if (!hasPoints(directory)) {
            return """
            %n%nStopped before a point was measured: there are no results to go on with.
            Start again.
            """
                    .formatted();
        }
        var points = directory.resolve("points.jsonl");
        return """
        %n%nStopped. The points so far are in %s.
          ./winnow load fit %s --report %s
        fits the model to them and draws them. The same command with --out %s
        measures all points once more and adds them.
        """
                .formatted(
                        directory.resolve("points.csv"),
                        SavedCommand.quoted(points.toString()),
                        SavedCommand.quoted(directory.resolve("report.html").toString()),
                        SavedCommand.quoted(directory.toString()));
    }

    /// True if `load fit` would find a point, of this command or of an earlier one.
    private static boolean hasPoints(Path directory) {
        try {
            var points = directory.resolve("points.jsonl");
            return Files.exists(points)
                    && ResultFiles.read(points, _ -> {}).stream().anyMatch(run -> run.points() > 0);
        } catch (LoadException unreadable) {
            // It says which line when it is fitted.
            return true;
        }
    }

    /// Makes a directory for results, if it is missing.
    public static void make(Path directory) throws LoadException {
        try {
            Files.createDirectories(directory);
        } catch (IOException failed) {
            throw new LoadException("cannot make the directory " + directory, failed);
        }
    }

    /// Directory of results unless the user names one.
    public static Path defaultDirectory(String name) {
        return Path.of("reports", STAMP.format(Instant.now()) + "-" + name);
    }

    /// Starts the workers.
    ///
    /// @param directory made if it is missing
    /// @param errors shows progress
    public static LoadSession start(Setup setup, Path directory, PrintStream errors)
            throws LoadException, IOException, InterruptedException {
        return start(setup, directory, RunProgress.on(errors, setup.title()), errors);
    }

    /// The same.
    ///
    /// @param progress hears of each point
    /// @param errors shows warnings
    public static LoadSession start(
            Setup setup, Path directory, RunProgress progress, PrintStream errors)
            throws LoadException, IOException, InterruptedException {
        make(directory);
        var calibrator = setup.broker().sharesMachine() ? new Calibrator() : null;
        Workers workers = null;
        try {
            workers = Workers.start(setup.provider(), setup.workers());
            return new LoadSession(
                    setup, workers, calibrator, new ResultFiles(directory), progress, errors);
        } catch (IOException | LoadException failed) {
            if (workers != null) {
                workers.close();
            }
            if (calibrator != null) {
                calibrator.close();
            }
            throw failed;
        }
    }

    /// Says that a warm-up is to come, for the time left.
    public void expectWarmUp(int points, Duration total) {
        progress.expect(LoadRun.warmUpSteps(points, total), LoadRun.warmUpStep(points, total));
    }

    /// Says that so many points are to be measured, for the time left.
    public void expectPoints(int points) {
        progress.expect(points * setup.settings().repetitions(), setup.settings().estimatedTime());
    }

    /// Shows what follows from the points so far, above the progress.
    public void show(String text) {
        progress.show(ReceivedText.visibleLines(text));
    }

    /// Lets the just-in-time compilers work.
    public void warmUp(List<Point> points, Duration total, String topicPrefix)
            throws LoadException, InterruptedException {
        warmUp = total;
        load(topicPrefix, newId()).warmUp(points, total);
    }

    /// The same, but a failure is only noted.
    public void tryWarmUp(List<Point> points, Duration total, String topicPrefix)
            throws LoadException, InterruptedException {
        warmUp = total;
        load(topicPrefix, newId()).tryWarmUp(points, total);
    }

    /// Measures all points.
    ///
    /// @param seed of their order
    /// @param topicPrefix beginning of the names of the topics
    public Run measure(Scenario scenario, List<Point> points, long seed, String topicPrefix)
            throws IOException, InterruptedException {
        var id = newId();
        var header =
                setup.header(
                        id,
                        scenario,
                        points,
                        limits(scenario, points),
                        seed,
                        referenceMicros(),
                        workers);
        return load(topicPrefix, id).measure(header, points, warmUp);
    }

    private List<SocketRate> limits(Scenario scenario, List<Point> points)
            throws IOException, InterruptedException {
        var bodies = points.stream().map(Point::bodyBytes).distinct().sorted().toList();
        return scenario.figure().limit()
                ? BareSocket.measure(bodies, setup.settings().duration())
                : List.of();
    }

    /// Says that a light load is to come, for the time left.
    public void expectLightLoad(Duration duration) {
        progress.expect(1, duration.plus(setup.settings().warmup()));
    }

    /// Keeps the broker under the saturated load of a point without measuring it.
    ///
    /// @return the faults, in sentences
    public List<String> keepBusy(Point point, Duration sending, String topicPrefix)
            throws LoadException, InterruptedException {
        var runner = runner(topicPrefix, newId());
        runner.replaceWorkersAfterFailure();
        return runner.run(point, setup.settings().lasting(sending), 1, 1).problems();
    }

    /// Replaces the words of `load run` at Ctrl-C.
    public void sayAtInterrupt(Supplier<String> words) {
        farewell = words;
    }

    /// Measures how long messages take when few are under way.
    public LightLoad latency(Point point, int ratePerSecond, Duration duration, String topicPrefix)
            throws LoadException, InterruptedException {
        progress.begin("latency " + point.label());
        var latency =
                runner(topicPrefix, newId())
                        .latency(point, setup.settings(), ratePerSecond, duration);
        progress.end("", "half within %,.0f us".formatted(latency.p50Micros()));
        return new LightLoad(point, latency);
    }

    private @Nullable Double referenceMicros() {
        var reference = calibrator == null ? OptionalDouble.empty() : calibrator.referenceMicros();
        return reference.isPresent() ? reference.getAsDouble() : null;
    }

    /// On topics that no other run has had.
    private LoadRun load(String topicPrefix, String id) {
        return new LoadRun(runner(topicPrefix, id), setup.settings(), files, progress);
    }

    private PointRunner runner(String topicPrefix, String id) {
        return new PointRunner(
                workers, setup.broker(), topicPrefix + "." + id, PointRunner.PATIENCE, calibrator);
    }

    /// Of a run, unlike any other.
    private String newId() {
        var stamp = STAMP.format(Instant.now());
        var id = "%s.%d.%d".formatted(stamp, ProcessHandle.current().pid(), ++runs);
        ids.add(id);
        return id;
    }

    /// @throws LoadException if points that were measured could not be stored
    public void failIfPointsAreNotStored() throws LoadException {
        var failure = files.failure();
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    /// Path of the page.
    public Path page() {
        return files.directory().resolve("report.html");
    }

    /// Nothing more is measured: what is printed now has the line of the progress to itself. Says
    /// what the provider warned of, such as for whom producers waited.
    public void finish() {
        progress.close();
        workers.warnings().forEach(errors::println);
    }

    @Override
    public void close() throws IOException {
        try {
            Runtime.getRuntime().removeShutdownHook(atInterrupt);
        } catch (IllegalStateException ending) {
            // The hook runs, and ends the process.
            return;
        }
        progress.close();
        workers.close();
        if (calibrator != null) {
            calibrator.close();
        }
        files.close();
    }
}
