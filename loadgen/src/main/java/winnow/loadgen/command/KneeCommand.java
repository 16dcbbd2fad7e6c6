package winnow.loadgen.command;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import winnow.loadgen.option.RateOptions;
import winnow.loadgen.option.ResultOptions;
import winnow.loadgen.option.ShortDuration;
import winnow.loadgen.rate.Knee;
import winnow.loadgen.rate.KneeSearch;
import winnow.loadgen.rate.LatencyAim;
import winnow.loadgen.rate.LatencyAim.Percentile;
import winnow.loadgen.rate.RateListener;
import winnow.loadgen.rate.RateLoad;
import winnow.loadgen.rate.RateRun;
import winnow.loadgen.run.LoadException;

/// `winnow load knee`: the highest rate with a latency that is low enough.
@Command(
        name = "knee",
        description = {
            "Finds the highest rate at which the latency is low enough.",
            "Latencies are timed from when each message was due. The rate that is found meets the"
                    + " aim three times out of three; a rate a little above does not. A saturated"
                    + " broker takes more than paced publishers may count on: the capacity stands"
                    + " beside it."
        },
        sortOptions = false,
        footer = {
            "",
            "Ends with 1 if no rate meets the aim. --out gets knee.json and knee.svg.",
            "",
            "Example: winnow load knee --p99 5ms --to queue"
        })
final class KneeCommand implements Callable<Integer> {

    /// Part of the capacity at which the search begins.
    private static final double FIRST = 0.25;

    @ArgGroup(multiplicity = "1")
    private Aim aim = new Aim();

    @Mixin private final RateOptions options = new RateOptions();

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            defaultValue = "5s",
            description = "Sending that counts, at each rate; default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ofSeconds(5);

    @Mixin private final ResultOptions results = new ResultOptions();

    /// Percentile that counts, and its limit.
    private static final class Aim {

        @Option(
                names = "--p50",
                paramLabel = "TIME",
                converter = ShortDuration.class,
                description = "Half of the messages take this time at most.")
        private @Nullable Duration p50;

        @Option(
                names = "--p99",
                paramLabel = "TIME",
                converter = ShortDuration.class,
                description = "99 %% of the messages take this time at most, such as 5ms.")
        private @Nullable Duration p99;

        @Option(
                names = "--p99.9",
                paramLabel = "TIME",
                converter = ShortDuration.class,
                description = "99.9 %% of the messages take this time at most.")
        private @Nullable Duration p999;

        private LatencyAim latency() {
            if (p50 != null) {
                return new LatencyAim(Percentile.P50, p50);
            }
            return p99 != null
                    ? new LatencyAim(Percentile.P99, p99)
                    : new LatencyAim(Percentile.P999, Objects.requireNonNull(p999));
        }
    }

    @Override
    public Integer call() throws IOException, LoadException, InterruptedException {
        LatencyAim latency;
        try {
            latency = aim.latency();
        } catch (IllegalArgumentException misused) {
            throw options.misuse(String.valueOf(misused.getMessage()));
        }
        var load = options.load(duration);
        var provider = options.provider();
        var _ = results.directory();
        PrintStream errors = System.err;
        errors.println(options.describe(load));
        var capacity = RateProgress.capacity(load, provider, errors);
        var listener = RateListener.warningsTo(errors::println);
        var knee =
                KneeSearch.search(
                        latency,
                        Math.max(1, FIRST * capacity),
                        rate -> {
                            var result =
                                    RateRun.at(rate, options.load(duration), provider, listener);
                            errors.println(RateText.step(result, latency));
                            return result;
                        });
        publish(load, latency, capacity, knee);
        return knee.ratePerSecond() > 0 ? 0 : 1;
    }

    private void publish(RateLoad load, LatencyAim latency, double capacity, Knee knee)
            throws IOException {
        var json = new LinkedHashMap<String, Object>();
        json.put("load", load);
        json.put("aim", latency);
        json.put("capacityPerSecond", capacity);
        json.put("kneePerSecond", knee.ratePerSecond());
        json.put("runs", knee.runs());
        var written = RateText.json(json);
        results.keep("knee", written, RateCharts.rates(knee.runs(), latency));
        results.print(written, RateText.of(knee, latency, capacity));
    }
}
