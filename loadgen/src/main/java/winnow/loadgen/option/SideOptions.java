package winnow.loadgen.option;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import winnow.loadgen.rate.RateLoad;
import winnow.loadgen.rate.SideLoads;

/// Options for disturbances beside a load.
public final class SideOptions {

    private static final int MOST_PAIRS = 100;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--storm",
            paramLabel = "N/s",
            converter = PerSecond.class,
            defaultValue = "0",
            description =
                    "Beside the load, connections that come, subscribe to its destination and"
                            + " leave, at most 1000/s; default: none.")
    private double storm;

    @Option(
            names = "--churn",
            paramLabel = "N/s",
            converter = PerSecond.class,
            defaultValue = "0",
            description =
                    "Beside the load, selectors that are subscribed and removed on 4 connections"
                            + " with 25 subscriptions each, at most 10000/s; default: none.")
    private double churn;

    @Option(
            names = "--stalled",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Beside the load, consumers of the topic whose listeners hang at their first"
                            + " message, at most 1000; default: none.")
    private int stalled;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "With --storm, --churn or --stalled: runs at each rate with them and as"
                            + " many without, in turns of random order; up to N pairs"
                            + " with a void run"
                            + " are measured again; default: ${DEFAULT-VALUE}.")
    private int pairs = 5;

    /// The disturbances that a load is to have beside it.
    ///
    /// @throws ParameterException if they are too many, or the load cannot have them
    public SideLoads of(RateLoad load) {
        try {
            if (pairs < 1 || pairs > MOST_PAIRS) {
                throw new IllegalArgumentException(
                        "expected --pairs from 1 to %d, found %d".formatted(MOST_PAIRS, pairs));
            }
            var sides = new SideLoads(storm, churn, stalled);
            var _ = load.beside(sides);
            return sides;
        } catch (IllegalArgumentException misused) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    String.valueOf(misused.getMessage()));
        }
    }

    public int pairs() {
        return pairs;
    }
}
