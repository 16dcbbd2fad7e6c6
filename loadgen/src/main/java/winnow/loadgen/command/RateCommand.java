package winnow.loadgen.command;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import winnow.loadgen.option.RateGoal;
import winnow.loadgen.option.RateOptions;
import winnow.loadgen.option.ResultOptions;
import winnow.loadgen.option.ShortDuration;
import winnow.loadgen.option.SideOptions;
import winnow.loadgen.rate.RateResult;
import winnow.loadgen.rate.RateRun;
import winnow.loadgen.run.LoadException;
import winnow.loadgen.worker.Provider;

/// `winnow load rate`: latencies at a rate that does not depend on the broker.
@Command(
        name = "rate",
        description = {
            "Sends at a rate and reports latencies, timed from when each message was due: one that"
                    + " had to wait for an earlier one counts the wait."
        },
        sortOptions = false,
        footer = {
            "",
            "Ends with 1 if the figures are void because this program did not keep to its schedule,"
                    + " or if messages are missing, refused or come twice. --out has a log of"
                    + " histograms (latency.hlog, as HdrHistogram's tools read it), rate.json and"
                    + " rate.svg.",
            "",
            "With --storm, --churn or --stalled each rate is measured with these"
                    + " disturbances and without them, in pairs of runs, and the answer"
                    + " is the ratio of the two, with"
                    + " 95 %% intervals, and how much of the disturbance was achieved. What is lost"
                    + " with a disturbance does not end the command with 1, what is lost without"
                    + " one does.",
            "",
            "Examples: winnow load rate --rate 1,10,100,1000 --out rates",
            "          winnow load rate --rate 70%% --to queue --spacing poisson --duration 1m",
            "          winnow load rate --rate 2000 --storm 50/s --churn 200/s"
        })
final class RateCommand implements Callable<Integer> {

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            required = true,
            split = ",",
            converter = RateGoal.Converter.class,
            description =
                    "Messages a second of all publishers, or a part of the capacity, such as 70%%,"
                            + " which is measured first. Several are run one after the other.")
    private List<RateGoal> goals = List.of();

    @Mixin private final RateOptions options = new RateOptions();
    @Mixin private final SideOptions sideOptions = new SideOptions();

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            defaultValue = "10s",
            description = "Sending that counts; default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ofSeconds(10);

    @Mixin private final ResultOptions results = new ResultOptions();

    @Override
    public Integer call() throws IOException, LoadException, InterruptedException {
        var load = options.load(duration);
        var beside = sideOptions.of(load);
        var provider = options.provider();
        PrintStream errors = System.err;
        errors.println(options.describe(load) + (beside.isEmpty() ? "" : "; beside it " + beside));
        var capacity = Double.NaN;
        if (goals.stream().anyMatch(RateGoal::isPercent)) {
            capacity = RateProgress.capacity(load, provider, errors);
        }
        var runs = new RateRuns(load.beside(beside), capacity);
        try (var progress = new RateProgress(errors, results.directory())) {
            for (var goal : goals) {
                var rate = goal.isPercent() ? goal.value() * capacity / 100 : goal.value();
                if (beside.isEmpty()) {
                    var run = RateRun.at(rate, options.load(duration), provider, progress);
                    runs.add(goal.text(), run);
                } else {
                    measurePairs(goal.text(), rate, runs, provider, progress);
                }
                results.keep("rate", runs.json(), runs.drawing());
            }
        }
        results.print(runs.json(), runs.text());
        return runs.areSound() ? 0 : 1;
    }

    /// Runs with and without disturbances, in turns.
    private void measurePairs(
            String goal, double rate, RateRuns runs, Provider provider, RateProgress progress)
            throws LoadException, InterruptedException {
        var alone = new ArrayList<RateResult>();
        var disturbed = new ArrayList<RateResult>();
        var random = new Random(runs.load().seed());
        var valid = 0;
        // A pair with a void run is measured again.
        for (var pair = 1; valid < sideOptions.pairs() && pair <= 2 * sideOptions.pairs(); pair++) {
            var first = random.nextBoolean();
            for (var isBeside : List.of(first, !first)) {
                var load = options.load(duration);
                var run =
                        RateRun.at(
                                rate,
                                isBeside ? load.beside(runs.load().beside()) : load,
                                provider,
                                progress);
                progress.show(pair, isBeside ? "disturbed" : "alone", run);
                (isBeside ? disturbed : alone).add(run);
            }
            valid += SideEffect.counts(alone.getLast(), disturbed.getLast()) ? 1 : 0;
        }
        runs.add(goal, rate, alone, disturbed);
    }
}
