package winnow.loadgen.command;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import winnow.loadgen.option.LoadSession;
import winnow.loadgen.option.SavedCommand;
import winnow.loadgen.run.LoadException;

/// `winnow load paper`: every figure of the papers, one command after the other, on one page.
@Command(
        name = "paper",
        description = {
            "Measures every figure of the papers that Winnow can repeat, and draws them on one"
                    + " page: FioranoMQ's sections 4.1 to 4.9, waiting times, the round trips of"
                    + " the JXTA, jGMA and NaradaBrokering papers, and PAWN's receivers.",
            "Takes about a quarter of an hour, with --full some hours. Starts brokers of its own."
        },
        sortOptions = false,
        footer = {
            "",
            "After Ctrl-C the same command with --out DIR goes on with the steps that are not"
                    + " done. DIR/paper.html is written after each step.",
            "Ends with 1 if a step has no results; the others are on the page all the same. A step"
                    + " of which a part does not count, such as a rate that this machine did not"
                    + " keep, is said and measured again by the same command.",
            "",
            "Examples: winnow load paper --out paper",
            "          winnow load paper --only 4.6-linear,4.6-indexed --out paper"
        })
final class PaperCommand implements Callable<Integer> {

    /// Set by the launcher: where it is itself.
    private static final String HOME = "WINNOW_HOME";

    private static final String MATCHING =
            "destination.matching-by-topic=paper.linear.*=linear,paper.indexed.*=indexed";

    /// Command that starts a broker like that of the steps.
    static final String BROKER =
            "winnow broker --set 'destination.slow-consumers=*=block' --set '" + MATCHING + "'";

    private static final int MINUTE = 60;

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--full",
            description = "All points of the papers, three times and for longer: some hours.")
    private boolean full;

    @Option(
            names = "--only",
            paramLabel = "STEP",
            split = ",",
            description =
                    "These steps alone, 4.6 for both of 4.6-linear and 4.6-indexed; --steps lists"
                            + " all.")
    private List<String> only = List.of();

    @Option(names = "--steps", description = "List the steps and their commands, and do nothing.")
    private boolean listing;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where results go; default: reports/<time>-paper.")
    private @Nullable Path out;

    private final PrintStream errors = System.err;

    @Override
    public Integer call() throws IOException, LoadException, InterruptedException {
        var steps = chosen();
        var printed = Objects.requireNonNull(spec).commandLine().getOut();
        var directory = out == null ? LoadSession.defaultDirectory("paper") : out;
        if (listing) {
            printed.println("Steps without a broker of their own need one of: " + BROKER);
            steps.forEach(step ->
                    printed.printf(
                            "%-24s %4d s  %s%n%-32s%s%n",
                            step.name(),
                            step.seconds(full),
                            step.title(),
                            "",
                            SavedCommand.of(step.arguments(full, Path.of("DIR"), List.of()))));
            printed.flush();
            return 0;
        }
        LoadSession.make(directory);
        var done = done(directory);
        var left = steps.stream().filter(step -> !isDone(step, done)).toList();
        errors.printf(
                "%d of %d steps to do, about %s; after Ctrl-C go on with: %s%n",
                left.size(), steps.size(), time(seconds(left)), again(directory));
        if (!left.isEmpty()) {
            run(left, directory, done);
        }
        var page = PaperPage.write(directory, full, ordered(done));
        printed.println("report: " + page.toUri());
        printed.flush();
        var failed = steps.stream().filter(step -> !done.containsKey(step)).toList();
        steps.stream()
                .filter(step -> done.containsKey(step) && !isDone(step, done))
                .forEach(step ->
                        errors.printf(
                                "%s: not all of it counts, see %s; the same command measures it"
                                        + " again%n",
                                step, directory.resolve(step.name()).resolve("output.txt")));
        if (!failed.isEmpty()) {
            throw new LoadException(
                    "%d of %d steps failed, the first: %s; its output is in %s"
                            .formatted(
                                    failed.size(),
                                    steps.size(),
                                    failed.getFirst(),
                                    directory.resolve(failed.getFirst().name())));
        }
        return 0;
    }

    /// The command that goes on.
    private String again(Path directory) {
        var arguments = new ArrayList<>(List.of("load", "paper"));
        if (full) {
            arguments.add("--full");
        }
        if (!only.isEmpty()) {
            arguments.addAll(List.of("--only", String.join(",", only)));
        }
        arguments.addAll(List.of("--out", directory.toString()));
        return SavedCommand.of(arguments);
    }

    /// @throws ParameterException if there is no such step
    private List<PaperStep> chosen() {
        var all = PaperStep.all();
        var names = all.stream().map(PaperStep::name).toList();
        var unknown =
                only.stream()
                        .filter(name -> all.stream().noneMatch(step -> step.isNamed(name)))
                        .toList();
        if (!unknown.isEmpty()) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "--only: expected steps out of %s, found %s"
                            .formatted(String.join(", ", names), String.join(", ", unknown)));
        }
        return all.stream()
                .filter(step -> only.isEmpty() || only.stream().anyMatch(step::isNamed))
                .toList();
    }

    /// Ends of the steps that have results.
    ///
    /// @throws LoadException if they have the other form
    private Map<PaperStep, PaperRecord> done(Path directory) throws LoadException {
        var done = new LinkedHashMap<PaperStep, PaperRecord>();
        for (var step : PaperStep.all()) {
            var record = PaperRecord.of(step, directory).orElse(null);
            if (record == null || !PaperPage.hasResults(step, directory)) {
                continue;
            }
            if (record.isFull() != full) {
                throw new LoadException(
                        "expected results of the %s form in %s, found those of the other: choose"
                                        .formatted(full ? "full" : "quick", directory)
                                + " another --out");
            }
            done.put(step, record);
        }
        return done;
    }

    private static boolean isDone(PaperStep step, Map<PaperStep, PaperRecord> done) {
        var record = done.get(step);
        return record != null && record.exitCode() == 0;
    }

    private static Map<PaperStep, PaperRecord> ordered(Map<PaperStep, PaperRecord> done) {
        var ordered = new LinkedHashMap<PaperStep, PaperRecord>();
        for (var step : PaperStep.all()) {
            var record = done.get(step);
            if (record != null) {
                ordered.put(step, record);
            }
        }
        return ordered;
    }

    private void run(List<PaperStep> left, Path directory, Map<PaperStep, PaperRecord> done)
            throws IOException, LoadException, InterruptedException {
        try (var broker = broker(left, directory)) {
            var begin = System.nanoTime();
            var expected = 0;
            for (var number = 0; number < left.size(); number++) {
                var step = left.get(number);
                errors.printf(
                        "%n[%d/%d] %s, about %s left%n",
                        number + 1,
                        left.size(),
                        step,
                        time(secondsLeft(left, number, begin, expected)));
                expected += step.seconds(full);
                run(step, directory, broker, done);
                PaperPage.write(directory, full, ordered(done));
            }
        }
    }

    /// One for all steps; null if none needs it.
    private static @Nullable BrokerProcess broker(List<PaperStep> steps, Path directory)
            throws IOException, LoadException, InterruptedException {
        if (steps.stream().noneMatch(PaperStep::broker)) {
            return null;
        }
        var home = System.getenv(HOME);
        if (home == null) {
            throw new LoadException(HOME + " is not set: start it with ./winnow load paper");
        }
        return BrokerProcess.start(
                Path.of(home), List.of(MATCHING), directory.resolve("broker.log"));
    }

    /// As much longer than expected as the steps so far were.
    private double secondsLeft(List<PaperStep> left, int number, long begin, int expected) {
        var rest = seconds(left.subList(number, left.size()));
        var passed = (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
        return expected == 0 ? rest : rest * passed / expected;
    }

    private double seconds(List<PaperStep> steps) {
        return steps.stream().mapToInt(step -> step.seconds(full)).sum();
    }

    private static String time(double seconds) {
        return seconds < MINUTE
                ? "%.0f s".formatted(seconds)
                : "%.0f min".formatted(seconds / MINUTE);
    }

    private void run(
            PaperStep step,
            Path directory,
            @Nullable BrokerProcess broker,
            Map<PaperStep, PaperRecord> done)
            throws IOException, LoadException {
        // Of an attempt that was stopped.
        Files.deleteIfExists(step.results(directory));
        var arguments = step.arguments(full, directory, brokerArguments(step, broker));
        var folder = Files.createDirectories(directory.resolve(step.name()));
        var begin = System.nanoTime();
        int exitCode;
        try (var output =
                new PrintWriter(folder.resolve("output.txt").toFile(), StandardCharsets.UTF_8)) {
            exitCode =
                    CommandTree.commandLine(() ->
                                    "%n%nStopped. Go on with: %s%n".formatted(again(directory)))
                            .setOut(output)
                            .execute(arguments.toArray(String[]::new));
        }
        var millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        var repeated = step.arguments(full, Path.of("DIR"), List.of());
        var record = new PaperRecord(full, SavedCommand.of(repeated), exitCode, millis);
        if (PaperPage.hasResults(step, directory)) {
            record.write(step, directory);
            done.put(step, record);
        }
    }

    private static List<String> brokerArguments(PaperStep step, @Nullable BrokerProcess broker) {
        if (broker == null) {
            return List.of();
        }
        var arguments = new ArrayList<String>();
        arguments.addAll(List.of("--url", "winnow://" + broker.jmsAddress()));
        if (step.isRun()) {
            arguments.addAll(List.of("--broker-pid", Long.toString(broker.pid())));
            arguments.addAll(List.of("--metrics-url", broker.metrics().toString()));
        }
        return arguments;
    }
}
