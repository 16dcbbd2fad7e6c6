package winnow.loadgen.option;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import winnow.loadgen.rate.RateLoad;
import winnow.loadgen.rate.SideLoads;
import winnow.loadgen.rate.Spacing;
import winnow.loadgen.rate.Target;
import winnow.loadgen.worker.Provider;

/// Options of the commands that send at a rate: who sends what to where.
public final class RateOptions {

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Mixin private final RateProvider provider = new RateProvider();

    @Option(
            names = "--to",
            paramLabel = "KIND",
            defaultValue = "topic",
            description =
                    "A topic, where each subscriber gets each message, a queue, or a durable"
                            + " subscription, which subscribers share: ${COMPLETION-CANDIDATES};"
                            + " default: ${DEFAULT-VALUE}.")
    private Target.Kind kind = Target.Kind.TOPIC;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "Name of the topic or queue, which nobody else should use; default: a new one.")
    private @Nullable String name;

    @Option(
            names = "--publishers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Each with a connection and a thread; default: ${DEFAULT-VALUE}.")
    private int publishers = 1;

    @Option(
            names = "--subscribers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Each with a connection; default: ${DEFAULT-VALUE}.")
    private int subscribers = 1;

    @Option(
            names = "--persistent",
            negatable = true,
            description =
                    "Delivery mode PERSISTENT, or without it; default: persistent for queues and"
                            + " durable subscriptions.")
    private @Nullable Boolean persistent;

    @Option(
            names = "--async",
            description = "Tell a completion listener of each send instead of waiting for it.")
    private boolean async;

    @Option(
            names = "--transaction",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Messages of a transaction, of publishers and subscribers; 0 for none, the"
                            + " default.")
    private int batch;

    @Option(
            names = "--body-bytes",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Size of each body, at least 20; default: ${DEFAULT-VALUE}.")
    private int bodyBytes = 1024;

    @Option(
            names = "--handling",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            defaultValue = "0s",
            description =
                    "Time that each subscriber takes for a message, such as 5ms; default:"
                            + " ${DEFAULT-VALUE}.")
    private Duration handling = Duration.ZERO;

    @Option(
            names = "--spacing",
            paramLabel = "KIND",
            defaultValue = "constant",
            converter = SpacingText.class,
            description =
                    "Messages are due evenly (constant), as a Poisson process (poisson), or in"
                            + " clumps that come as a Poisson process (clumped:MEAN, such as"
                            + " clumped:10), with a geometric number of messages at a time;"
                            + " default: ${DEFAULT-VALUE}.")
    private Spacing spacing = Spacing.CONSTANT;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            defaultValue = "3s",
            description = "Sending before it counts; default: ${DEFAULT-VALUE}.")
    private Duration warmup = Duration.ofSeconds(3);

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Of the Poisson process; default: by the clock.")
    private @Nullable Long seed;

    /// A load for one run: without `--name` no other run has its destination.
    ///
    /// @throws ParameterException if options contradict each other
    public RateLoad load(Duration duration) {
        var unique =
                "winnow.rate.%d.%d".formatted(ProcessHandle.current().pid(), System.nanoTime());
        try {
            return new RateLoad(
                    new Target(kind, name == null ? unique : name),
                    publishers,
                    subscribers,
                    persistent == null ? kind != Target.Kind.TOPIC : persistent,
                    async,
                    batch,
                    bodyBytes,
                    handling,
                    spacing,
                    warmup,
                    duration,
                    seed == null ? System.nanoTime() : seed,
                    SideLoads.NONE);
        } catch (IllegalArgumentException misused) {
            throw misuse(String.valueOf(misused.getMessage()));
        }
    }

    /// The provider, whose classes this thread finds from now on.
    public Provider provider() {
        return provider.provider();
    }

    /// For people.
    public String describe(RateLoad load) {
        return "%s, %s, %s, %,d B, %s%s%s%s, %s"
                .formatted(
                        load.target(),
                        counted(load.publishers(), "publisher"),
                        counted(load.subscribers(), "subscriber"),
                        load.bodyBytes(),
                        load.persistent() ? "persistent" : "non-persistent",
                        load.async() ? ", completion listener" : "",
                        load.batch() > 0 ? ", transactions of " + load.batch() : "",
                        load.handling().isZero()
                                ? ""
                                : ", handled in " + ShortDuration.text(load.handling()),
                        load.spacing());
    }

    private static String counted(int number, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
    }

    public ParameterException misuse(String why) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), why);
    }
}
