package winnow.loadgen.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import winnow.loadgen.option.OutputFormat;
import winnow.loadgen.report.OutputFile;
import winnow.loadgen.report.RunAnalysis;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.ResultFiles;

/// `winnow load fit`: the model and the page once more, from results that are there.
@Command(
        name = "fit",
        description =
                "Fits the model to stored results and writes the report again. Points that are"
                        + " invalid or failed are left out, and disturbed ones count less.")
final class FitCommand implements Callable<Integer> {

    @Spec private @Nullable CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "points.jsonl of one or more runs.")
    private List<Path> files = List.of();

    @Option(
            names = "--report",
            paramLabel = "FILE",
            defaultValue = "report.html",
            description = "The page to write; default: ${DEFAULT-VALUE}.")
    private Path report = Path.of("report.html");

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    @Override
    public Integer call() throws IOException, LoadException {
        if (OutputFile.isAmong(files, report)) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "--report: expected another file than the measurements, found '"
                            + report
                            + "'");
        }
        var command = Objects.requireNonNull(spec).commandLine();
        var analyses = new ArrayList<RunAnalysis>();
        for (var file : files) {
            for (var run : ResultFiles.read(file, warning -> warn(command, warning))) {
                if (run.points() > 0) {
                    analyses.add(RunAnalysis.of(run));
                }
            }
        }
        if (analyses.isEmpty()) {
            throw new LoadException("expected at least one measured point, found none in " + files);
        }
        var directories = files.stream().map(FitCommand::directory).distinct().toList();
        CommandResult.ofPoints(analyses)
                .publish(report, directories, output, analyses, null, command.getOut());
        return 0;
    }

    private static void warn(CommandLine command, String warning) {
        command.getErr().println("winnow: " + warning);
        command.getErr().flush();
    }

    private static Path directory(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent());
    }
}
