package winnow.loadgen.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import winnow.loadgen.chart.Chart;
import winnow.loadgen.chart.Chart.Kind;
import winnow.loadgen.chart.Chart.Mark;
import winnow.loadgen.chart.Chart.Place;
import winnow.loadgen.chart.Chart.Series;
import winnow.loadgen.chart.ChartSvg;
import winnow.loadgen.report.OutputFile;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.run.Measurement;
import winnow.loadgen.run.ResultFiles;
import winnow.loadgen.run.Run;

/// `winnow load chart`: throughput over the number of selectors, a line for each broker.
@Command(
        name = "chart",
        description =
                "Draws the throughput over the number of selectors as an SVG file, light or dark as"
                        + " its reader prefers, with a line for each NAME.",
        sortOptions = false)
final class ChartCommand implements Callable<Integer> {

    /// Blue, red and green, each with a marker of its own.
    private static final int[] STYLES = {1, 5, 3, 7, 2};

    private static final int WIDTH = 760;
    private static final int HEIGHT = 400;

    @Spec private @Nullable CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "NAME=FILE",
            description = "A broker and its points.jsonl, which 'winnow load run' has written.")
    private Map<String, Path> files = new LinkedHashMap<>();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = "The SVG file to write.")
    private Path out = Path.of("chart.svg");

    @Override
    public Integer call() throws IOException, LoadException {
        if (OutputFile.isAmong(files.values(), out)) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "--out: expected another file than the measurements, found '" + out + "'");
        }
        var series = new ArrayList<Series>();
        var err = Objects.requireNonNull(spec).commandLine().getErr();
        for (var file : files.entrySet()) {
            var style = STYLES[series.size() % STYLES.length];
            series.add(
                    series(file.getKey(), style, ResultFiles.read(file.getValue(), err::println)));
        }
        if (series.stream().allMatch(one -> one.marks().isEmpty())) {
            throw new LoadException(
                    "expected points with filters and the broker's CPU time in " + files.values());
        }
        var chart =
                new Chart(
                        "Throughput per broker CPU over the number of selectors",
                        description(series),
                        "selectors on the topic, one of which matches",
                        "messages/s per broker CPU",
                        series);
        OutputFile.write(out, ChartSvg.file(chart, WIDTH, HEIGHT));
        Objects.requireNonNull(spec).commandLine().getOut().println("chart: " + out.toUri());
        return 0;
    }

    private static Series series(String name, int style, List<Run> runs) {
        var marks = new ArrayList<Mark>();
        for (var run : runs) {
            run.measurements().stream()
                    .collect(
                            Collectors.groupingBy(
                                    Measurement::point, LinkedHashMap::new, Collectors.toList()))
                    .values()
                    .forEach(group -> mark(name, run, group).ifPresent(marks::add));
        }
        marks.sort((a, b) -> Double.compare(a.at().across(), b.at().across()));
        return new Series(name, style, marks, List.of(), true);
    }

    /// The median of the measurements of a point that are valid, or a grey mark if none is.
    private static Optional<Mark> mark(String name, Run run, List<Measurement> group) {
        var known = group.stream().filter(one -> one.overallPerBrokerSecond().isPresent()).toList();
        var valid = known.stream().filter(one -> run.verdict(one).isValid()).toList();
        var used = valid.isEmpty() ? known : valid;
        if (used.isEmpty()) {
            return Optional.empty();
        }
        var rates = used.stream().mapToDouble(Measurement::saturatedPerSecond).sorted().toArray();
        var rate = rates[rates.length / 2];
        var filters = used.getFirst().point().installedFilters();
        return Optional.of(
                new Mark(
                        new Place(filters, rate),
                        rates[0],
                        rates[rates.length - 1],
                        valid.isEmpty() ? Kind.DISTURBED : Kind.MEASURED,
                        "%s, %,d selectors: %,.0f messages/s".formatted(name, filters, rate)));
    }

    private static String description(List<Series> series) {
        return series.stream()
                .flatMap(one -> one.marks().stream())
                .map(Mark::note)
                .collect(Collectors.joining("; "));
    }
}
