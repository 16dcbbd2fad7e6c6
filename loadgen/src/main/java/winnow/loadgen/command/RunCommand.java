package winnow.loadgen.command;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import winnow.loadgen.machine.Idleness;
import winnow.loadgen.option.BrokerOptions;
import winnow.loadgen.option.LoadSession;
import winnow.loadgen.option.MeasurementOptions;
import winnow.loadgen.option.OutputFormat;
import winnow.loadgen.option.PointOptions;
import winnow.loadgen.option.ProviderOptions;
import winnow.loadgen.option.SavedCommand;
import winnow.loadgen.option.ScenarioName;
import winnow.loadgen.option.ShortDuration;
import winnow.loadgen.option.WorkerOptions;
import winnow.loadgen.remote.RemoteWorkers;
import winnow.loadgen.report.RunAnalysis;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.WorkerSource;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.Scenario;

/// `winnow load run`: one scenario against one broker.
@Command(
        name = "run",
        description = "Runs a scenario against a broker and reports throughput and CPU times.",
        sortOptions = false,
        footer = {
            "",
            "In the model the publishers of a broker that is saturated wait for its consumers. A"
                    + " Winnow broker does that with --set 'destination.slow-consumers=*=block', as"
                    + " 'winnow demo' starts it."
        })
final class RunCommand implements Callable<Integer> {

    /// Long enough for the compilers.
    static final Duration FIRST_WARMUP = Duration.ofSeconds(15);

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            required = true,
            converter = ScenarioName.class,
            completionCandidates = ScenarioName.class,
            description = "One of ${COMPLETION-CANDIDATES}; 'load list' says more.")
    private @Nullable Scenario scenario;

    @Mixin private final ProviderOptions provider = new ProviderOptions();
    @Mixin private final PointOptions pointOptions = new PointOptions();
    @Mixin private final MeasurementOptions settingOptions = new MeasurementOptions();

    @Option(
            names = "--first-warmup",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            defaultValue = "15s",
            description =
                    "Sending before the first point, for the compilers; default: ${DEFAULT-VALUE}.")
    private Duration firstWarmup = FIRST_WARMUP;

    @Mixin private final BrokerOptions broker = new BrokerOptions();

    @Option(
            names = "--topic-prefix",
            paramLabel = "TEXT",
            defaultValue = "winnow.load",
            description = "How the names of topics begin; default: ${DEFAULT-VALUE}.")
    private String topicPrefix = "winnow.load";

    @Mixin private final WorkerOptions workerOptions = new WorkerOptions();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of the order of points; default: by the clock.")
    private @Nullable Long seed;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Where results go; default: reports/<time>-<scenario>. Points are added to"
                            + " those that are there, report.html is of this run alone.")
    private @Nullable Path out;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    @Override
    public Integer call() throws IOException, LoadException, InterruptedException {
        Scenario chosen;
        List<Point> points;
        LoadSettings settings;
        Path directory;
        WorkerSource workers;
        try {
            chosen = pointOptions.adapt(Objects.requireNonNull(scenario));
            points = chosen.points(pointOptions.extent());
            settings = settingOptions.settings(pointOptions.extent(), provider.provider());
            directory = out == null ? LoadSession.defaultDirectory(chosen.name()) : out;
            workers = workerOptions.source(provider.provider(), provider.jars(), directory);
        } catch (IllegalArgumentException misused) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    String.valueOf(misused.getMessage()));
        }
        measure(chosen, points, settings, directory, workers);
        return 0;
    }

    private void measure(
            Scenario chosen,
            List<Point> points,
            LoadSettings settings,
            Path directory,
            WorkerSource workers)
            throws IOException, LoadException, InterruptedException {
        var root = Objects.requireNonNull(spec).root().commandLine();
        var setup =
                new LoadSession.Setup(
                        provider.provider(),
                        workers,
                        broker.probe(provider.provider(), isLoadHere(workers)),
                        settings,
                        SavedCommand.of(root.getParseResult().originalArgs()),
                        chosen.name(),
                        Idleness.busyShare(LoadSession.Setup.IDLE_TIME));
        var actualSeed = seed == null ? System.nanoTime() : seed;
        PrintStream errors = System.err;
        errors.printf(
                "%s: points: %d, seed %d, broker CPU: %s%n",
                chosen.name(), points.size(), actualSeed, setup.broker().cpu().source());
        try (var session = LoadSession.start(setup, directory, errors)) {
            var main = (CommandTree) Objects.requireNonNull(spec).root().userObject();
            var farewell = main.farewell();
            if (farewell != null) {
                session.sayAtInterrupt(farewell);
            }
            session.expectWarmUp(points.size(), firstWarmup);
            session.expectPoints(points.size());
            session.warmUp(points, firstWarmup, topicPrefix);
            var analysis = RunAnalysis.of(session.measure(chosen, points, actualSeed, topicPrefix));
            session.finish();
            var analyses = List.of(analysis);
            CommandResult.ofPoints(analyses)
                    .publish(
                            session.page(),
                            List.of(directory),
                            output,
                            analyses,
                            null,
                            root.getOut());
            session.failIfPointsAreNotStored();
            CommandResult.failIfPointsFailed(analyses);
        }
    }

    private static boolean isLoadHere(WorkerSource workers) {
        return !(workers instanceof RemoteWorkers remote) || remote.isAnyHere();
    }
}
