package winnow.loadgen.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import winnow.loadgen.chart.ChartSvg;
import winnow.loadgen.forecast.CapacityPlan;
import winnow.loadgen.forecast.ForecastChart;
import winnow.loadgen.forecast.Load;
import winnow.loadgen.forecast.Planner;
import winnow.loadgen.forecast.QueueModel;
import winnow.loadgen.forecast.Targets;
import winnow.loadgen.option.CostOptions;
import winnow.loadgen.option.GradeOptions;
import winnow.loadgen.option.OutputFormat;
import winnow.loadgen.option.ReceivedText;
import winnow.loadgen.option.TimeValue;
import winnow.loadgen.report.OutputFile;
import winnow.loadgen.run.LoadException;

/// `winnow load plan`: what a broker takes, how long messages wait, how many brokers are needed.
@Command(
        name = "plan",
        description =
                "Forecasts how many messages a second a broker takes, how long they wait, and how"
                        + " many brokers a rate needs. Measures nothing.",
        sortOptions = false,
        footer = {
            "",
            "PSR spreads publishers over brokers, each of which has every subscription; SSR spreads"
                    + " subscribers over brokers, each of which receives every message. Messages"
                    + " are taken to arrive independently of each other (Poisson), or in"
                    + " clumps that do (--clump); pauses, disks and slow consumers are"
                    + " not in the forecast.",
            "",
            "Examples:",
            "  winnow load plan --selectors 1000 --match-rate 0.001 --rate 100000",
            "  winnow load plan --costs paper-property --selectors 200 --copies 5 --p99 50ms",
            "  winnow load plan --fit reports/x/points.jsonl --selectors 1000 --rate 20000"
        })
final class PlanCommand implements Callable<Integer> {

    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final double BITS_PER_MBIT = 1e6;

    /// Models on the command line.
    enum Model {
        AUTO,
        BATCH,
        MG1;

        @Nullable QueueModel wanted() {
            return switch (this) {
                case AUTO -> null;
                case BATCH -> QueueModel.BATCH;
                case MG1 -> QueueModel.SINGLE;
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Spec private @Nullable CommandSpec spec;

    @Mixin private final GradeOptions grade = new GradeOptions();

    @Option(
            names = "--body-bytes",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = "Body of each message; default: ${DEFAULT-VALUE}.")
    private int bodyBytes;

    @Option(
            names = "--publishers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Publishers who send to one event loop; default: ${DEFAULT-VALUE}.")
    private int publishers = 1;

    @Option(
            names = "--clump",
            paramLabel = "MEAN",
            defaultValue = "1",
            description =
                    "Mean number of messages that arrive at the same time, which is geometric;"
                            + " default: ${DEFAULT-VALUE}, each by itself.")
    private double clump = 1;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Messages per second that all brokers together have to receive.")
    private @Nullable Double rate;

    @Option(
            names = "--p99",
            paramLabel = "TIME",
            converter = TimeValue.class,
            description = "99 %% of the messages wait at most so long, for example 5ms.")
    private @Nullable Double p99;

    @Option(
            names = "--utilization",
            paramLabel = "SHARE",
            defaultValue = "0.9",
            description =
                    "Share of its capacity that a broker may use, up to 0.99; default:"
                            + " ${DEFAULT-VALUE}.")
    private double utilization;

    @Option(
            names = "--loops",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Event loops of a broker, each with a share of the publishers and a processor;"
                            + " default: ${DEFAULT-VALUE}.")
    private int loops;

    @Option(
            names = "--network-mbit",
            paramLabel = "N",
            description = "Network of a broker in Mbit/s in each direction; default: no limit.")
    private @Nullable Double network;

    @Mixin private final CostOptions costs = new CostOptions();

    @Option(
            names = "--model",
            paramLabel = "MODEL",
            defaultValue = "auto",
            description =
                    "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}, batches if an iteration"
                            + " of the broker's loop takes longer than a message, else M/GI/1.")
    private Model model = Model.AUTO;

    @Option(
            names = "--chart",
            paramLabel = "FILE",
            description = "SVG file to write: waiting times over the load.")
    private @Nullable Path chart;

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TEXT;

    @Override
    public Integer call() throws IOException, LoadException {
        var command = Objects.requireNonNull(spec).commandLine();
        CapacityPlan plan;
        List<String> notes;
        try {
            var chosen =
                    costs.chosen(warning -> {
                        command.getErr().println("winnow: " + warning);
                        command.getErr().flush();
                    });
            var load = new Load(grade.selectors(), grade.grade(), bodyBytes, publishers, clump);
            plan = Planner.plan(chosen.costs(), load, targets(), model.wanted());
            notes = new ArrayList<>(chosen.notes());
        } catch (IllegalArgumentException misused) {
            throw new ParameterException(command, String.valueOf(misused.getMessage()));
        }
        notes.addAll(PlanText.notes(plan, rate));
        var outcome = PlanOutcome.of(plan, rate, notes);
        var out = command.getOut();
        switch (output) {
            case TEXT -> out.print(ReceivedText.visibleLines(PlanText.of(outcome)));
            case JSON -> out.println(ReceivedText.visible(outcome.json()));
        }
        if (chart != null) {
            var drawing = ChartSvg.file(ForecastChart.of(plan), WIDTH, HEIGHT);
            OutputFile.write(chart, drawing);
            if (output == OutputFormat.TEXT) {
                out.println("chart: " + chart.toUri());
            }
        }
        out.flush();
        return 0;
    }

    private Targets targets() {
        return new Targets(
                utilization,
                p99,
                rate,
                loops,
                network == null ? Double.POSITIVE_INFINITY : network * BITS_PER_MBIT);
    }
}
