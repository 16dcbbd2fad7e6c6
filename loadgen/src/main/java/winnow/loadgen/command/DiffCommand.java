package winnow.loadgen.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import winnow.loadgen.diff.ResultDiff;
import winnow.loadgen.diff.StoredResults;
import winnow.loadgen.option.OutputFormat;
import winnow.loadgen.option.Percentage;
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.run.LoadException;

/// `winnow load diff`: one run over another.
@Command(
        name = "diff",
        description =
                "Compares two directories of results, point by point: those of 'load run' and"
                        + " 'demo', of 'load rate' (by the 99th percentile of the latency) or of"
                        + " 'load round-trip' (by the mean round trip), or all steps or scenarios"
                        + " that two directories of 'load paper' or 'load compare' have in"
                        + " common.",
        sortOptions = false,
        footer = {
            "",
            "B / A is the ratio of speeds: below 1 where B is slower. Its interval follows from the"
                    + " repetitions of the point (Welch), that of the geometric mean from the"
                    + " scatter of the points. Points and lines of settings that only one of them"
                    + " has are listed.",
            "",
            "--output json prints an object for each pair of results.",
            "",
            "Ends with 1 if B is slower than --fail-above allows or lacks points then, or if"
                    + " results cannot be read; with 2 for wrong usage, such as results without a"
                    + " point in common.",
            "",
            "Example: winnow load diff reports/before reports/after --fail-above 10%%"
        })
final class DiffCommand implements Callable<Integer> {

    @Spec private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A", description = "Directory of the first results.")
    private @Nullable Path a;

    @Parameters(index = "1", paramLabel = "B", description = "Directory of the second results.")
    private @Nullable Path b;

    @Option(
            names = "--by",
            paramLabel = "SPEED",
            defaultValue = "throughput",
            description =
                    "Speed of points of 'load run': ${COMPLETION-CANDIDATES}, by the clock or by"
                            + " the broker's CPU time; default: ${DEFAULT-VALUE}.")
    private StoredResults.Speed speed = StoredResults.Speed.THROUGHPUT;

    @Option(
            names = "--fail-above",
            paramLabel = "LOSS",
            converter = Percentage.class,
            description =
                    "End with 1 if B is slower by more than this, such as 10%%: if the whole"
                            + " interval of the geometric mean is below 0.9, or that of a point,"
                            + " widened so that the intervals of all points hold together with"
                            + " 95 %%; or if B lacks a point of A. A point without an interval"
                            + " cannot fail.")
    private @Nullable Double failAbove;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    @Override
    public Integer call() throws IOException, LoadException {
        var command = Objects.requireNonNull(spec).commandLine();
        var first = Objects.requireNonNull(a);
        var second = Objects.requireNonNull(b);
        var ofA = StoredResults.directories(first);
        var both = new TreeSet<>(ofA);
        both.retainAll(StoredResults.directories(second));
        if (both.isEmpty() || both.equals(Set.of(Path.of("")))) {
            return compare(first, second);
        }
        var out = command.getOut();
        var code = 0;
        for (var directory : both) {
            if (output == OutputFormat.TEXT) {
                out.println("== " + ReceivedText.visible(directory.toString()));
            }
            try {
                code |= compare(first.resolve(directory), second.resolve(directory));
            } catch (LoadException | IllegalArgumentException incomparable) {
                complain(directory + ": " + incomparable.getMessage());
                code |= failAbove == null ? 0 : 1;
            }
        }
        ofA.removeAll(both);
        if (!ofA.isEmpty()) {
            complain("expected all results of A in B, found none in " + ofA);
            code |= failAbove == null ? 0 : 1;
        }
        return code;
    }

    private void complain(String what) {
        var err = Objects.requireNonNull(spec).commandLine().getErr();
        err.println(ReceivedText.visibleLines("winnow: " + what));
        err.flush();
    }

    private int compare(Path first, Path second) throws IOException, LoadException {
        var command = Objects.requireNonNull(spec).commandLine();
        var diff = ResultDiff.of(read(first), read(second));
        command.getOut()
                .print(
                        switch (output) {
                            case TEXT -> ReceivedText.visibleLines(diff.text());
                            case JSON -> RateText.json(diff) + "\n";
                        });
        command.getOut().flush();
        var limit = failAbove;
        if (limit == null) {
            return 0;
        }
        if (!diff.onlyInA().isEmpty()) {
            complain(
                    "expected all points of A in B, found none for "
                            + String.join("; ", diff.onlyInA()));
            return 1;
        }
        return diff.isSlowerByMoreThan(limit) ? 1 : 0;
    }

    private StoredResults read(Path directory) throws LoadException {
        var err = Objects.requireNonNull(spec).commandLine().getErr();
        return StoredResults.read(directory, speed, warning -> err.println("winnow: " + warning));
    }
}
