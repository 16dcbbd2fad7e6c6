package winnow.loadgen.command;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import winnow.loadgen.machine.BrokerProbe;
import winnow.loadgen.machine.CpuClock;
import winnow.loadgen.machine.ThreadProbe;
import winnow.loadgen.machine.TopicMatching;
import winnow.loadgen.option.LoadSession;
import winnow.loadgen.option.OutputFormat;
import winnow.loadgen.option.SavedCommand;
import winnow.loadgen.option.WorkerOptions;
import winnow.loadgen.report.FitSummary;
import winnow.loadgen.report.LightLoad;
import winnow.loadgen.report.RunAnalysis;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.Workers;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.workload.Extent;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.PointUse;
import winnow.loadgen.workload.Scenarios;

/// `winnow demo`: the paper's section 4.9 in about three minutes, with a broker of its own.
@Command(
        name = "demo",
        description =
                "Starts a broker, measures it with correlation-ID and property filters, matched one"
                        + " by one as in the paper and by the index, fits the service-time model to"
                        + " each and writes a report. Takes about three minutes, up to five beside"
                        + " other work. Ends with 1 if points failed.")
final class DemoCommand implements Callable<Integer> {

    /// Set by the launcher: where it is itself.
    private static final String HOME = "WINNOW_HOME";

    /// Divided over both kinds of filters and both ways of matching. The second compiler is not
    /// done before (measured: a relay's CPU time per message stops falling after about 15 s).
    private static final Duration FIRST_WARMUP = Duration.ofSeconds(16);

    /// Messages a second: what a loop does between two of them is over long before the next.
    private static final int LIGHT_RATE = 1_000;

    private static final Duration LIGHT_TIME = Duration.ofSeconds(3);

    private static final List<String> SCENARIOS = List.of("4.9-correlation", "4.9-property");

    /// Beginnings of the names of topics that the broker matches in either way.
    private static final String LINEAR = "demo.linear";

    private static final String INDEXED = "demo.indexed";

    private static final List<String> BROKER_SETTINGS =
            List.of(
                    "destination.matching-by-topic="
                            + LINEAR
                            + ".*=linear,"
                            + INDEXED
                            + ".*=indexed");

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Where results go; default: reports/<time>-demo. Points are added to those that"
                            + " are there, report.html is of this demo alone.")
    private @Nullable Path out;

    @Override
    public Integer call() throws IOException, LoadException, InterruptedException {
        var home = System.getenv(HOME);
        if (home == null) {
            throw new LoadException(HOME + " is not set: start the demo with ./winnow demo");
        }
        var directory = out == null ? LoadSession.defaultDirectory("demo") : out;
        LoadSession.make(directory);
        PrintStream errors = System.err;
        var analyses = new ArrayList<RunAnalysis>();
        @Nullable LightLoad light = null;
        try (var broker =
                        BrokerProcess.start(
                                Path.of(home), BROKER_SETTINGS, directory.resolve("broker.log"));
                var session = LoadSession.start(setup(broker, directory), directory, errors)) {
            errors.printf("broker at %s, process %d%n", broker.jmsAddress(), broker.pid());
            errors.printf(
                    "r: copies of each message; n: filters that do not match it; disturbed: others"
                            + " used the processors%n");
            measure(session, analyses);
            try {
                light = session.latency(lightLoad(), LIGHT_RATE, LIGHT_TIME, INDEXED);
            } catch (LoadException unmeasured) {
                session.show("no latency: %s%n".formatted(unmeasured.getMessage()));
            }
            session.finish();
            var command = Objects.requireNonNull(spec).commandLine();
            CommandResult.ofFits(analyses, light)
                    .publish(
                            session.page(),
                            List.of(directory),
                            output,
                            analyses,
                            light,
                            command.getOut());
            session.failIfPointsAreNotStored();
        }
        CommandResult.failIfPointsFailed(analyses);
        return 0;
    }

    private void measure(LoadSession session, List<RunAnalysis> analyses)
            throws LoadException, IOException, InterruptedException {
        var scenarios = SCENARIOS.stream().map(Scenarios::named).toList();
        var topicPrefixes = List.of(LINEAR, INDEXED);
        var each = FIRST_WARMUP.dividedBy(scenarios.size()).dividedBy(topicPrefixes.size());
        for (var scenario : scenarios) {
            for (var _ : topicPrefixes) {
                session.expectWarmUp(scenario.points(Extent.QUICK).size(), each);
            }
        }
        for (var scenario : scenarios) {
            for (var _ : topicPrefixes) {
                session.expectPoints(scenario.points(Extent.QUICK).size());
            }
        }
        session.expectLightLoad(LIGHT_TIME);
        for (var scenario : scenarios) {
            for (var prefix : topicPrefixes) {
                session.tryWarmUp(scenario.points(Extent.QUICK), each, prefix);
            }
        }
        var seed = System.nanoTime();
        for (var scenario : scenarios) {
            var points = scenario.points(Extent.QUICK);
            for (var prefix : topicPrefixes) {
                var analysis = RunAnalysis.of(session.measure(scenario, points, seed, prefix));
                analyses.add(analysis);
                session.show(FitSummary.line(analysis));
            }
        }
    }

    /// One subscriber that matches, and as many others as the grid has at most.
    private static Point lightLoad() {
        var scenario = Scenarios.named(SCENARIOS.getLast());
        var most =
                scenario.points(Extent.QUICK).stream()
                        .filter(point -> point.use() == PointUse.FIT)
                        .max(Comparator.comparingInt(Point::others))
                        .orElseThrow();
        return most.with("publishers", 1).with("matching", 1);
    }

    private LoadSession.Setup setup(BrokerProcess broker, Path directory) throws LoadException {
        var provider =
                new Provider(Provider.WINNOW_FACTORY, "winnow://" + broker.jmsAddress(), "", "");
        var root = Objects.requireNonNull(spec).root().commandLine();
        return new LoadSession.Setup(
                provider,
                Workers.local(
                        provider,
                        null,
                        Workers.Layout.TOGETHER,
                        WorkerOptions.jvmOptions(Workers.DEFAULT_OPTIONS),
                        directory),
                new BrokerProbe(
                        CpuClock.ofBroker(broker.pid()),
                        ThreadProbe.ofProcess(broker.pid()),
                        TopicMatching.ofMetrics(broker.metrics()),
                        true),
                LoadSettings.defaults(Extent.QUICK, LoadSettings.USUAL_BOUND_PER_SUBSCRIBER),
                SavedCommand.of(root.getParseResult().originalArgs()),
                "demo",
                null);
    }
}
