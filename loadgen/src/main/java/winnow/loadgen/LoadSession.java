package winnow.loadgen;

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
import org.jspecify.annotations.Nullable;
import winnow.loadgen.report.LightLoad;
import winnow.loadgen.run.BrokerProbe;
import winnow.loadgen.run.Calibrator;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.LoadRun;
import winnow.loadgen.run.Machine;
import winnow.loadgen.run.PointRunner;
import winnow.loadgen.run.Progress;
import winnow.loadgen.run.ResultFiles;
import winnow.loadgen.run.Run;
import winnow.loadgen.run.RunHeader;
import winnow.loadgen.run.Workers;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.Scenario;

/// Workers that are connected to one broker, and the directory that gets their results. Owned by
/// the thread of the command.
final class LoadSession implements AutoCloseable {

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    /// As shells report SIGINT.
    private static final int INTERRUPTED = 130;

    private final Setup setup;
    private final Workers workers;
    private final @Nullable Calibrator calibrator;
    private final ResultFiles files;
    private final Progress progress;
    private final PrintStream errors;
    private final Thread atInterrupt;
    private int runs;
    private Duration warmUp = Duration.ZERO;

    /// @param jars directory with the provider's jars; null if they are on the class path
    /// @param command what the user typed, for the report
    /// @param title of the progress
    record Setup(
            Provider provider,
            @Nullable Path jars,
            Workers.Layout layout,
            List<String> workerOptions,
            BrokerProbe broker,
            LoadSettings settings,
            String command,
            String title) {}

    private LoadSession(
            Setup setup,
            Workers workers,
            @Nullable Calibrator calibrator,
            ResultFiles files,
            PrintStream errors) {
        this.setup = setup;
        this.workers = workers;
        this.calibrator = calibrator;
        this.files = files;
        this.errors = errors;
        progress = Progress.on(errors, setup.title());
        atInterrupt = new Thread(() -> stop(files.directory(), errors), "interrupted");
        Runtime.getRuntime().addShutdownHook(atInterrupt);
    }

    /// At Ctrl-C. Ends the process at once, or the points that end with it would count as failed.
    private static void stop(Path directory, PrintStream errors) {
        errors.print(whatIsThere(directory));
        errors.flush();
        Runtime.getRuntime().halt(INTERRUPTED);
    }

    /// What a command that is stopped leaves behind, and how to go on.
    static String whatIsThere(Path directory) {
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

    /// Whether `load fit` would find a point, of this command or of an earlier one.
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
    static void make(Path directory) throws LoadException {
        try {
            Files.createDirectories(directory);
        } catch (IOException failed) {
            throw new LoadException("cannot make the directory " + directory, failed);
        }
    }

    /// Where results go unless the user says otherwise.
    static Path defaultDirectory(String name) {
        return Path.of("reports", STAMP.format(Instant.now()) + "-" + name);
    }

    /// Starts the workers.
    ///
    /// @param directory made if it is missing
    /// @param errors where progress is shown
    static LoadSession start(Setup setup, Path directory, PrintStream errors)
            throws LoadException, IOException, InterruptedException {
        make(directory);
        var calibrator = setup.broker().sharesMachine() ? new Calibrator() : null;
        Workers workers = null;
        try {
            workers =
                    Workers.start(
                            setup.provider(),
                            setup.jars(),
                            setup.layout(),
                            setup.workerOptions(),
                            directory);
            return new LoadSession(setup, workers, calibrator, new ResultFiles(directory), errors);
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
    void expectWarmUp(int points, Duration total) {
        progress.expect(LoadRun.warmUpSteps(points, total), LoadRun.warmUpStep(points, total));
    }

    /// Says that so many points are to be measured, for the time left.
    void expectPoints(int points) {
        progress.expect(points * setup.settings().repetitions(), setup.settings().estimatedTime());
    }

    /// Shows what follows from the points so far, above the progress.
    void show(String text) {
        progress.show(ReceivedText.visibleLines(text));
    }

    /// Lets the just-in-time compilers work.
    void warmUp(List<Point> points, Duration total, String topicPrefix)
            throws LoadException, InterruptedException {
        warmUp = total;
        load(topicPrefix, newId()).warmUp(points, total);
    }

    /// The same, but a failure is only noted.
    void tryWarmUp(List<Point> points, Duration total, String topicPrefix)
            throws LoadException, InterruptedException {
        warmUp = total;
        load(topicPrefix, newId()).tryWarmUp(points, total);
    }

    /// Measures all points.
    ///
    /// @param seed of their order
    /// @param topicPrefix how the names of the topics begin
    Run measure(Scenario scenario, List<Point> points, long seed, String topicPrefix)
            throws IOException, InterruptedException {
        var id = newId();
        var header =
                new RunHeader(
                        id,
                        scenario.name(),
                        scenario.title(),
                        scenario.source(),
                        scenario.filter(),
                        setup.settings(),
                        setup.provider().factoryClass(),
                        setup.provider().url(),
                        setup.layout().toString(),
                        setup.command(),
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                        seed,
                        setup.broker().cpu().source(),
                        setup.broker().sharesMachine(),
                        referenceMicros(),
                        null,
                        Machine.current());
        return load(topicPrefix, id).measure(header, points, warmUp);
    }

    /// Says that a light load is to come, for the time left.
    void expectLightLoad(Duration duration) {
        progress.expect(1, duration.plus(setup.settings().warmup()));
    }

    /// Measures how long messages take when few are under way.
    LightLoad latency(Point point, int ratePerSecond, Duration duration, String topicPrefix)
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
        return "%s.%d.%d"
                .formatted(STAMP.format(Instant.now()), ProcessHandle.current().pid(), ++runs);
    }

    /// @throws LoadException if points that were measured could not be stored
    void failIfPointsAreNotStored() throws LoadException {
        var failure = files.failure();
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    /// Where the page belongs.
    Path page() {
        return files.directory().resolve("report.html");
    }

    /// Nothing more is measured: what is printed now has the line of the progress to itself. Says
    /// what the provider warned of, such as for whom producers waited.
    void finish() {
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
