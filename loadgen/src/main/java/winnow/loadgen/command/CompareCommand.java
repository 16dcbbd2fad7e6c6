package winnow.loadgen.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
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
import winnow.loadgen.option.LoadSession;
import winnow.loadgen.option.MeasurementOptions;
import winnow.loadgen.option.OutputFormat;
import winnow.loadgen.option.PointOptions;
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.option.SavedCommand;
import winnow.loadgen.option.ScenarioName;
import winnow.loadgen.option.ShortDuration;
import winnow.loadgen.provider.JarCache;
import winnow.loadgen.provider.ProviderFile;
import winnow.loadgen.report.ComparisonText;
import winnow.loadgen.report.ProviderComparison;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.Workers;
import winnow.loadgen.workload.Extent;
import winnow.loadgen.workload.Scenario;

/// `winnow load compare`: the same points against several brokers, and their ratios.
@Command(
        name = "compare",
        description =
                "Starts several brokers in turn, measures the same points with each, and reports"
                        + " rates, broker CPU times and their ratios to the first provider, with 95"
                        + " %% intervals.",
        sortOptions = false,
        footer = {
            "",
            "In each repetition every provider has one turn, in random order: its broker is started"
                    + " anew, warmed up, measured at every point and stopped. Brokers that idle"
                    + " would use processors, so no two of them run at once. A ratio is of two"
                    + " measurements of one repetition. Disturbed points are not measured again;"
                    + " --repeat-budget has no effect.",
            "",
            "Brokers and clients but Winnow's come from Maven Central when they are needed first."
                    + " All get the same heap and the same bound of copies under way"
                    + " (--max-in-flight, 10000 unless you say otherwise), listen on loopback, and"
                    + " leave nothing behind but their logs.",
            "",
            "Another provider is a JSON file:",
            "  {\"name\": \"mine\", \"client\": {\"jars\": \"lib\", \"factory\":"
                    + " \"a.b.Factory\", \"url\": \"tcp://127.0.0.1:1234\"}}",
            "Its broker runs already; docs/LOAD.md says how a file starts one.",
            "",
            "Ends with 1 if a provider failed; the others are measured nevertheless.",
            "",
            "Example: winnow load compare --quick --providers winnow,artemis --scenarios 4.1"
        })
final class CompareCommand implements Callable<Integer> {

    /// Set by the launcher: where it is itself.
    private static final String HOME = "WINNOW_HOME";

    private static final Duration QUICK_WARMUP = Duration.ofSeconds(5);

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--providers",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "winnow,artemis,activemq,openmq,qpid",
            description =
                    "Providers, each one of ${DEFAULT-VALUE} (the default) or a file that ends with"
                            + " .json. The others are compared with the first.")
    private List<String> providers = List.of();

    @Option(
            names = "--scenarios",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "4.1,4.6",
            converter = ScenarioName.class,
            completionCandidates = ScenarioName.class,
            description = "Scenarios out of 'load list'; default: ${DEFAULT-VALUE}.")
    private List<Scenario> scenarios = List.of();

    @Mixin private final PointOptions pointOptions = new PointOptions();
    @Mixin private final MeasurementOptions settingOptions = new MeasurementOptions();

    @Option(
            names = "--first-warmup",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            description =
                    "Sending in each turn before its first point, for the compilers; default: 15s,"
                            + " quick 5s.")
    private @Nullable Duration firstWarmup;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            defaultValue = "1g",
            description = "Heap of each broker, such as 512m; default: ${DEFAULT-VALUE}.")
    private String heap = "1g";

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
            description = "Of the order of turns and points; default: by the clock.")
    private @Nullable Long seed;

    @Option(
            names = "--cache",
            paramLabel = "DIR",
            description =
                    "Where jars are kept; default: winnow/providers in $$XDG_CACHE_HOME or"
                            + " ~/.cache.")
    private @Nullable Path cache;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Where results go, a directory that is empty or not there:"
                            + " PROVIDER/SCENARIO/points.jsonl and report.html; default:"
                            + " reports/<time>-compare.")
    private @Nullable Path out;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    @Override
    public Integer call() throws IOException, LoadException, InterruptedException {
        var plan = plan();
        requireHome(plan);
        PrintStream errors = System.err;
        var names = plan.providers().stream().map(ProviderFile::name).toList();
        errors.printf(
                "%s: repetitions: %d, seed %d%n",
                String.join(", ", names), plan.settings().repetitions(), plan.seed());
        try (var run = new ComparisonRun(plan, errors)) {
            var comparison = run.measure();
            print(comparison, run.write(comparison));
            if (!run.failures().isEmpty()) {
                throw new LoadException(String.join("; ", run.failures()));
            }
        }
        return 0;
    }

    private ComparisonRun.Plan plan() throws LoadException {
        try {
            var home = System.getenv(HOME);
            var extent = pointOptions.extent();
            var adapted = scenarios.stream().map(pointOptions::adapt).toList();
            adapted.forEach(scenario -> scenario.points(extent));
            return new ComparisonRun.Plan(
                    files(),
                    adapted,
                    extent,
                    settingOptions.settings(extent),
                    firstWarmup == null ? usualWarmup(extent) : firstWarmup,
                    workerOptions,
                    new JarCache(
                            cache == null
                                    ? JarCache.usualDirectory(System.getenv("XDG_CACHE_HOME"))
                                    : cache,
                            home == null ? null : Path.of(home)),
                    heap,
                    seed == null ? System.nanoTime() : seed,
                    SavedCommand.of(
                            Objects.requireNonNull(spec)
                                    .root()
                                    .commandLine()
                                    .getParseResult()
                                    .originalArgs()),
                    directory());
        } catch (IllegalArgumentException misused) {
            throw misuse(String.valueOf(misused.getMessage()));
        }
    }

    /// Winnow's broker is started by the launcher.
    private static void requireHome(ComparisonRun.Plan plan) throws LoadException {
        for (var provider : plan.providers()) {
            var broker = provider.broker();
            if (broker != null
                    && plan.cache().home() == null
                    && broker.command().getFirst().startsWith("${home}")) {
                throw new LoadException(
                        HOME + " is not set: start the comparison with ./winnow load compare");
            }
        }
    }

    private static Duration usualWarmup(Extent extent) {
        return extent == Extent.QUICK ? QUICK_WARMUP : RunCommand.FIRST_WARMUP;
    }

    private List<ProviderFile> files() throws LoadException {
        var files = new ArrayList<ProviderFile>();
        var names = new HashSet<String>();
        for (var provider : providers) {
            var file = ProviderFile.of(provider);
            if (!names.add(file.name())) {
                throw new IllegalArgumentException(
                        "expected each provider once, found '%s' again".formatted(file.name()));
            }
            files.add(file);
        }
        if (new HashSet<>(scenarios.stream().map(Scenario::name).toList()).size()
                < scenarios.size()) {
            throw new IllegalArgumentException("expected each scenario once, found one again");
        }
        return files;
    }

    /// Repetitions of two comparisons do not mix.
    private Path directory() {
        if (out == null) {
            return LoadSession.defaultDirectory("compare");
        }
        var found = out.toFile().list();
        if (found != null && found.length > 0) {
            throw new IllegalArgumentException(
                    "--out: expected an empty directory, found files in '%s': choose another"
                            .formatted(out));
        }
        return out;
    }

    private void print(ProviderComparison comparison, Path page) throws IOException {
        var printer = Objects.requireNonNull(spec).commandLine().getOut();
        switch (output) {
            case TEXT -> {
                printer.print(ReceivedText.visibleLines(ComparisonText.text(comparison)));
                printer.println("report: " + page.toAbsolutePath().toUri());
            }
            case JSON ->
                    printer.println(
                            ReceivedText.visible(
                                    new ObjectMapper().writeValueAsString(comparison)));
        }
        printer.flush();
    }

    private ParameterException misuse(String text) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), text);
    }
}
