package winnow.loadgen.option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.ChartSvg;
import winnow.loadgen.report.OutputFile;
import winnow.loadgen.run.LoadException;

/// Options for the results of commands that time single messages, and their publication.
public final class ResultOptions {

    private static final int WIDTH = 760;
    private static final int HEIGHT = 400;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(names = "--out", paramLabel = "DIR", description = "Where results go; default: none.")
    private @Nullable Path out;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    /// The directory for results, made if it is missing; null for none.
    ///
    /// @throws LoadException if it cannot be made
    public @Nullable Path directory() throws LoadException {
        if (out != null) {
            LoadSession.make(out);
        }
        return out;
    }

    /// Writes `NAME.json` and `NAME.svg` to the directory, if there is one. Called after each
    /// result, so that the others are there when the command is stopped.
    ///
    /// @param json for programs
    public void keep(String name, String json, Chart chart) throws IOException {
        if (out != null) {
            OutputFile.write(out.resolve(name + ".json"), json + "\n");
            OutputFile.write(out.resolve(name + ".svg"), ChartSvg.file(chart, WIDTH, HEIGHT));
        }
    }

    /// Prints all results, which are kept.
    ///
    /// @param json for programs
    /// @param text for people
    public void print(String json, String text) {
        var printed = Objects.requireNonNull(spec).commandLine().getOut();
        printed.print(output == OutputFormat.JSON ? json + "\n" : text);
        if (out != null && output == OutputFormat.TEXT) {
            printed.println("results: " + out);
        }
        printed.flush();
    }
}
