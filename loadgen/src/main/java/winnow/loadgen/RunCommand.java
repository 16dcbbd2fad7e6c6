package winnow.loadgen;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
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
import winnow.loadgen.report.RunAnalysis;
import winnow.loadgen.run.BrokerProbe;
import winnow.loadgen.run.CpuClock;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.ThreadProbe;
import winnow.loadgen.run.TopicMatching;
import winnow.loadgen.run.Workers;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.Scenario;

/// `winnow load run`: one scenario against one broker.
@Command(
        name = "run",
        description = "Runs a scenario against a broker and reports throughput and CPU times.",
        sortOptions = false)
final class RunCommand implements Callable<Integer> {

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            required = true,
            converter = ScenarioName.class,
            completionCandidates = ScenarioName.class,
            description = "One of ${COMPLETION-CANDIDATES}.")
    private @Nullable Scenario scenario;

    @Mixin private final ProviderOptions provider = new ProviderOptions();
    @Mixin private final PointOptions pointOptions = new PointOptions();
    @Mixin private final SettingOptions settingOptions = new SettingOptions();

    @Option(
            names = "--first-warmup",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            defaultValue = "15s",
            description =
                    "Sending before the first point, for the compilers; default: ${DEFAULT-VALUE}.")
    private Duration firstWarmup = Duration.ofSeconds(15);

    @Option(
            names = "--broker-pid",
            paramLabel = "PID",
            converter = ProcessId.class,
            description = "Process of the broker on this machine; its CPU time is measured.")
    private @Nullable Long brokerPid;

    @Option(
            names = "--metrics-url",
            paramLabel = "URL",
            converter = HttpAddress.class,
            description =
                    "Prometheus page of the broker: tells how it matches selectors, and its CPU"
                            + " time without --broker-pid.")
    private @Nullable URI metricsUrl;

    @Option(
            names = "--topic-prefix",
            paramLabel = "TEXT",
            defaultValue = "winnow.load",
            description = "How the names of topics begin; default: ${DEFAULT-VALUE}.")
    private String topicPrefix = "winnow.load";

    @Option(
            names = "--workers",
            paramLabel = "LAYOUT",
            defaultValue = "together",
            description =
                    "Publishers and subscribers in one process or in two: ${COMPLETION-CANDIDATES};"
                            + " default: ${DEFAULT-VALUE}.")
    private Workers.Layout layout = Workers.Layout.TOGETHER;

    @Option(
            names = "--worker-options",
            paramLabel = "OPTIONS",
            split = " ",
            defaultValue = Workers.DEFAULT_OPTIONS,
            description = "JVM options of worker processes; default: ${DEFAULT-VALUE}.")
    private List<String> workerOptions = List.of();

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
        var chosen = pointOptions.adapt(Objects.requireNonNull(scenario));
        List<Point> points;
        LoadSettings settings;
        try {
            points = pointOptions.points(chosen);
            settings = settingOptions.settings(pointOptions.extent(), provider.provider());
        } catch (IllegalArgumentException misused) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    String.valueOf(misused.getMessage()));
        }
        measure(chosen, points, settings);
        return 0;
    }

    private void measure(Scenario chosen, List<Point> points, LoadSettings settings)
            throws IOException, LoadException, InterruptedException {
        var root = Objects.requireNonNull(spec).root().commandLine();
        var setup =
                new LoadSession.Setup(
                        provider.provider(),
                        provider.jars(),
                        layout,
                        workerOptions,
                        new BrokerProbe(brokerCpu(), threads(), matching(), sharesMachine()),
                        settings,
                        SavedCommand.of(root.getParseResult().originalArgs()),
                        chosen.name());
        var directory = out == null ? LoadSession.defaultDirectory(chosen.name()) : out;
        var actualSeed = seed == null ? System.nanoTime() : seed;
        PrintStream errors = System.err;
        errors.printf(
                "%s: %d points, seed %d, broker CPU: %s%n",
                chosen.name(), points.size(), actualSeed, setup.broker().cpu().source());
        try (var session = LoadSession.start(setup, directory, errors)) {
            session.expectWarmUp(points.size(), firstWarmup);
            session.expectPoints(points.size());
            session.warmUp(points, firstWarmup, topicPrefix);
            var analysis = RunAnalysis.of(session.measure(chosen, points, actualSeed, topicPrefix));
            session.finish();
            var analyses = List.of(analysis);
            Outcome.ofPoints(analyses)
                    .publish(
                            session.page(),
                            List.of(directory),
                            output,
                            analyses,
                            null,
                            root.getOut());
            session.failIfPointsAreNotStored();
            Outcome.failIfPointsFailed(analyses);
        }
    }

    private boolean sharesMachine() {
        return brokerPid != null || provider.provider().isOnThisMachine();
    }

    private ThreadProbe threads() {
        return brokerPid == null ? ThreadProbe.unavailable() : ThreadProbe.ofProcess(brokerPid);
    }

    private TopicMatching matching() {
        return metricsUrl == null ? TopicMatching.unknown() : TopicMatching.ofMetrics(metricsUrl);
    }

    private CpuClock brokerCpu() {
        if (brokerPid != null) {
            return CpuClock.ofBroker(brokerPid);
        }
        return metricsUrl == null ? CpuClock.unavailable() : CpuClock.ofMetrics(metricsUrl);
    }
}
