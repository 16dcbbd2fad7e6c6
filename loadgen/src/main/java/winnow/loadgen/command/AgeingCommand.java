package winnow.loadgen.command;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import winnow.loadgen.ageing.AgeingPage;
import winnow.loadgen.ageing.AgeingResult;
import winnow.loadgen.ageing.AgeingRound;
import winnow.loadgen.ageing.RoundFile;
import winnow.loadgen.machine.BrokerUsage;
import winnow.loadgen.machine.Idleness;
import winnow.loadgen.option.BrokerOptions;
import winnow.loadgen.option.LoadSession;
import winnow.loadgen.option.MeasurementOptions;
import winnow.loadgen.option.OutputFormat;
import winnow.loadgen.option.Percentage;
import winnow.loadgen.option.PointOptions;
import winnow.loadgen.option.ProviderOptions;
import winnow.loadgen.option.QuietProgress;
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.option.SavedCommand;
import winnow.loadgen.option.ShortDuration;
import winnow.loadgen.report.RunAnalysis;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.Workers;
import winnow.loadgen.worker.Failures;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.Point;
import winnow.loadgen.workload.Scenario;
import winnow.loadgen.workload.Scenarios;

/// `winnow load ageing`: the parameters of one running broker over hours or weeks.
@Command(
        name = "ageing",
        description =
                "Measures the points of scenario 4.10 again and again on a broker that goes on"
                        + " running, fits the service-time model to each round, and says whether"
                        + " throughput or a parameter drifts. FioranoMQ lost 30 %% of its"
                        + " throughput in four weeks (section 4.10 of the paper).",
        sortOptions = false,
        footer = {
            "",
            "Every round is in rounds.jsonl of --out before the next one begins, and the report is"
                    + " drawn anew. The same command with the same --out goes on where it stopped,"
                    + " however that was; time counts from the first round of all. A restart of the"
                    + " broker is noticed by --metrics-url or --broker-pid, marked in the charts,"
                    + " and its rounds get a level of their own. With --metrics-url alone the"
                    + " command measures on after a restart; --broker-pid has to be given anew.",
            "",
            "Each round has the broker's memory, threads and files, too, and with --metrics-url its"
                    + " heap and collections of garbage.",
            "",
            "Ends with 0; with 1 if a drift exceeds --fail-above, or it cannot go on; with 2 for"
                    + " wrong usage. A full round takes some four minutes, a quick one some 25"
                    + " seconds.",
            "",
            "Examples: winnow load ageing --metrics-url http://127.0.0.1:8161/metrics --out weeks",
            "          winnow load ageing --quick --every 20s --duration 2m --out minutes"
        })
final class AgeingCommand implements Callable<Integer> {

    /// Load between rounds is on for a part of each.
    private static final Duration SLICE = Duration.ofMinutes(1);

    /// Less is not worth its connections.
    private static final Duration SHORTEST_LOAD = Duration.ofMillis(500);

    /// Connecting and disconnecting around a load that is not measured.
    private static final Duration AROUND = Duration.ofMillis(500);

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            defaultValue = "10m",
            description =
                    "From the beginning of a round to that of the next; one that takes longer is"
                            + " followed at once; default: ${DEFAULT-VALUE}.")
    private Duration every = Duration.ofMinutes(10);

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            defaultValue = "28d",
            description =
                    "From the first round on, such as 90m, 12h or 28d; default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ofDays(28);

    @Option(
            names = "--load",
            paramLabel = "SHARE",
            converter = Percentage.class,
            defaultValue = "50%",
            description =
                    "Part of the time between rounds in which the publishers of the point in the"
                            + " middle send as fast as they may, in turns of a minute: 0%% leaves"
                            + " the broker idle, 100%% always busy; default: 50%%.")
    private double load = 0.5;

    @Option(
            names = "--fail-above",
            paramLabel = "DRIFT",
            converter = Percentage.class,
            description =
                    "End with 1 if the throughput falls or a parameter grows by more than this in a"
                            + " week, such as 5%%: the whole 95 %% interval of its drift has to be"
                            + " beyond, and rounds have to span two hours.")
    private @Nullable Double failAbove;

    @Mixin private final ProviderOptions provider = new ProviderOptions();
    @Mixin private final PointOptions pointOptions = new PointOptions();

    @Option(
            names = "--point-duration",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            description = "Measured time of each point; default: 5s, quick 300ms.")
    private @Nullable Duration pointDuration;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description = "Of all points in each round, an odd number; default: 3.")
    private @Nullable Integer repetitions;

    @Option(
            names = "--first-warmup",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            defaultValue = "15s",
            description =
                    "Sending before the first round, for the compilers; default: ${DEFAULT-VALUE}.")
    private Duration firstWarmup = RunCommand.FIRST_WARMUP;

    @Mixin private final BrokerOptions broker = new BrokerOptions();

    @Option(
            names = "--topic-prefix",
            paramLabel = "TEXT",
            defaultValue = "winnow.ageing",
            description = "How the names of topics begin; default: ${DEFAULT-VALUE}.")
    private String topicPrefix = "winnow.ageing";

    @Option(
            names = "--worker-options",
            paramLabel = "OPTIONS",
            split = " ",
            defaultValue = Workers.DEFAULT_OPTIONS,
            description = "JVM options of the process of the load; default: ${DEFAULT-VALUE}.")
    private List<String> workerOptions = List.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Where results go, and where rounds are that this command goes on with;"
                            + " default: reports/<time>-ageing.")
    private @Nullable Path out;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    private final PrintStream errors = System.err;

    @Override
    public Integer call() throws IOException, LoadException, InterruptedException {
        Scenario chosen;
        List<Point> points;
        LoadSettings settings;
        try {
            if (!every.isPositive() || !duration.isPositive() || load > 1) {
                throw new IllegalArgumentException(
                        "expected --every and --duration above 0 and --load up to 100%");
            }
            chosen = pointOptions.adapt(Scenarios.named("4.10"));
            points = chosen.points(pointOptions.extent());
            settings = settings();
        } catch (IllegalArgumentException misused) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    String.valueOf(misused.getMessage()));
        }
        var directory = out == null ? LoadSession.defaultDirectory("ageing") : out;
        LoadSession.make(directory);
        try (var rounds = RoundFile.open(directory, identity(points, settings), errors::println)) {
            errors.printf(
                    "ageing: points of a round: %d, rounds so far: %d, results in %s%n",
                    points.size(), rounds.rounds().size(), directory);
            if (Instant.now().isBefore(end(rounds))) {
                measure(chosen, points, settings, rounds, directory);
            }
            return publish(rounds, directory);
        }
    }

    private LoadSettings settings() {
        var usual = MeasurementOptions.defaults(pointOptions.extent(), provider.provider());
        return new LoadSettings(
                usual.warmup(),
                pointDuration == null ? usual.duration() : pointDuration,
                usual.cooldown(),
                usual.delivery(),
                usual.async(),
                usual.messages(),
                usual.maxInFlight(),
                usual.maxInFlightPerSubscriber(),
                repetitions == null ? usual.repetitions() : repetitions,
                Duration.ZERO);
    }

    private Instant end(RoundFile rounds) {
        return rounds.started().orElseGet(Instant::now).plus(duration);
    }

    /// Says what rounds have to have in common.
    private static String identity(List<Point> points, LoadSettings settings) {
        return "%s; %s, %d times"
                .formatted(
                        String.join(", ", points.stream().map(Point::label).toList()),
                        ShortDuration.text(settings.duration()),
                        settings.repetitions());
    }

    private void measure(
            Scenario chosen,
            List<Point> points,
            LoadSettings settings,
            RoundFile rounds,
            Path directory)
            throws IOException, LoadException, InterruptedException {
        var setup =
                new LoadSession.Setup(
                        provider.provider(),
                        Workers.local(
                                provider.provider(),
                                provider.jars(),
                                Workers.Layout.TOGETHER,
                                workerOptions,
                                directory),
                        broker.probe(provider.provider(), true),
                        settings,
                        command(),
                        "ageing",
                        Idleness.busyShare(LoadSession.Setup.IDLE_TIME));
        try (var session = LoadSession.start(setup, directory, new QuietProgress(errors), errors)) {
            session.sayAtInterrupt(() -> farewell(directory));
            session.warmUp(points, firstWarmup, topicPrefix);
            var watch = new Watch(session, chosen, points, rounds);
            watch.goOn(directory);
            session.finish();
        }
    }

    private static String farewell(Path directory) {
        return "%nStopped. All complete rounds are in %s, and the report of them beside it. The"
                        .formatted(directory.resolve(RoundFile.NAME))
                + " same command with --out %s goes on.%n"
                        .formatted(SavedCommand.quoted(directory.toString()));
    }

    /// Rounds and the load between them. Owned by the thread of the command.
    private final class Watch {

        private final LoadSession session;
        private final Scenario scenario;
        private final List<Point> points;
        private final RoundFile rounds;
        private List<String> problems = new ArrayList<>();

        Watch(LoadSession session, Scenario scenario, List<Point> points, RoundFile rounds) {
            this.session = session;
            this.scenario = scenario;
            this.points = points;
            this.rounds = rounds;
        }

        /// Measures at every due time from now to the end.
        void goOn(Path directory) throws IOException, LoadException, InterruptedException {
            var due = Instant.now();
            do {
                keepBusyUntil(due);
                var round = round();
                rounds.add(round);
                show(round);
                AgeingPage.write(AgeingResult.of(rounds.rounds()), command(), directory);
                due = later(due.plus(every), Instant.now());
            } while (due.isBefore(end(rounds)));
        }

        private AgeingRound round() throws IOException, InterruptedException {
            var begin = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            var run = session.measure(scenario, points, rounds.next(), topicPrefix);
            var usage = usage();
            var before = problems;
            problems = new ArrayList<>();
            return AgeingRound.of(
                    rounds.next(), begin, RunAnalysis.of(run), points.size(), usage, before);
        }

        private void keepBusyUntil(Instant due) throws InterruptedException {
            while (true) {
                var left = Duration.between(Instant.now(), due);
                if (!left.isPositive()) {
                    return;
                }
                var slice = left.compareTo(SLICE) < 0 ? left : SLICE;
                var begin = Instant.now();
                var most = slice.minus(AROUND);
                var sending = Duration.ofNanos(Math.round(slice.toNanos() * load));
                sending = sending.compareTo(most) > 0 ? most : sending;
                if (sending.compareTo(SHORTEST_LOAD) >= 0) {
                    keepBusy(sending);
                }
                var rest = Duration.between(Instant.now(), begin.plus(slice));
                if (rest.isPositive()) {
                    Thread.sleep(rest);
                }
            }
        }

        /// A failure is told with the round that follows.
        private void keepBusy(Duration sending) throws InterruptedException {
            try {
                var point = points.get(points.size() / 2);
                problems.addAll(session.keepBusy(point, sending, topicPrefix));
            } catch (LoadException | RuntimeException failed) {
                problems.add("load between rounds: " + Failures.describe(failed));
            }
        }

        private BrokerUsage usage() {
            try {
                return broker.usage();
            } catch (IOException unreadable) {
                problems.add(Failures.describe(unreadable));
                return BrokerUsage.UNKNOWN;
            }
        }

        private void show(AgeingRound round) {
            var left = Duration.between(Instant.now(), end(rounds));
            errors.print(
                    ReceivedText.visibleLines(
                            String.format(
                                    Locale.ROOT,
                                    "ageing round %d of about %d  %s  (%s left)%n",
                                    round.number(),
                                    round.number() + Math.max(0, left.dividedBy(every)),
                                    AgeingResult.line(round),
                                    left(left))));
            errors.flush();
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }

    /// The two largest units.
    private static String left(Duration left) {
        if (left.isNegative()) {
            return "0:00";
        }
        return left.toDays() > 0
                ? "%d d %d h".formatted(left.toDays(), left.toHoursPart())
                : left.toHours() > 0
                        ? "%d h %d min".formatted(left.toHours(), left.toMinutesPart())
                        : "%d:%02d".formatted(left.toMinutes(), left.toSecondsPart());
    }

    private int publish(RoundFile rounds, Path directory) throws IOException {
        var result = AgeingResult.of(rounds.rounds());
        var page = AgeingPage.write(result, command(), directory);
        var printed = Objects.requireNonNull(spec).root().commandLine().getOut();
        switch (output) {
            case TEXT -> printed.print(result.text() + "report: " + page.toUri() + "\n");
            case JSON ->
                    printed.println(
                            RateText.json(
                                    Map.of(
                                            "rounds",
                                            rounds.rounds().size(),
                                            "drifts",
                                            result.drifts())));
        }
        printed.flush();
        var limit = failAbove;
        return limit != null && result.isWorseByMoreThan(limit) ? 1 : 0;
    }

    private String command() {
        return SavedCommand.of(
                Objects.requireNonNull(spec).root().commandLine().getParseResult().originalArgs());
    }
}
