package winnow.loadgen.option;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import winnow.loadgen.worker.Provider;
import winnow.loadgen.workload.DeliveryGuarantee;
import winnow.loadgen.workload.Extent;
import winnow.loadgen.workload.LoadSettings;
import winnow.loadgen.workload.MessageSource;

/// Options for the measurement of each point.
public final class MeasurementOptions {

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            description = "Measured time of each point; default: 5s, quick 300ms.")
    private @Nullable Duration duration;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            description = "Sending before it that is cut off; default: 1s, quick 150ms.")
    private @Nullable Duration warmup;

    @Option(
            names = "--cooldown",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            description = "Sending after it that is cut off; default: 500ms, quick 30ms.")
    private @Nullable Duration cooldown;

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            description =
                    "How often to measure everything, an odd number, so that one is in the middle;"
                            + " default: 3.")
    private @Nullable Integer repetitions;

    @Option(
            names = "--repeat-budget",
            paramLabel = "TIME",
            converter = ShortDuration.class,
            description =
                    "Time after that for measuring disturbed points again, in calmer moments;"
                            + " default: 3m, quick 4s.")
    private @Nullable Duration repeatBudget;

    @Option(
            names = "--delivery-mode",
            paramLabel = "MODE",
            defaultValue = "non-persistent",
            description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
    private DeliveryGuarantee delivery = DeliveryGuarantee.NON_PERSISTENT;

    @Option(
            names = "--async",
            description =
                    "Send with a completion listener instead of waiting for the confirmation of"
                            + " each message.")
    private boolean async;

    @Option(
            names = "--message-source",
            paramLabel = "SOURCE",
            defaultValue = "cached",
            description =
                    "${COMPLETION-CANDIDATES}: messages made in advance and sent over and over, as"
                            + " the paper does, or a new message for each send; default:"
                            + " ${DEFAULT-VALUE}.")
    private MessageSource messageSource = MessageSource.CACHED;

    @Option(
            names = "--max-in-flight",
            paramLabel = "N",
            description =
                    "Copies under way at most, 0 for no such bound; default: 0 for Winnow, 10000"
                            + " for other providers, and for all of 'load compare'.")
    private @Nullable Integer maxInFlight;

    @Option(
            names = "--max-in-flight-per-subscriber",
            paramLabel = "N",
            description =
                    "Copies under way to each matching subscriber at most, 0 for no such bound;"
                            + " default: 16000 for Winnow, 0 for other providers, with"
                            + " --max-in-flight and in 'load compare'.")
    private @Nullable Integer maxInFlightPerSubscriber;

    /// Settings for several providers: the same bound for all, and no time for disturbed points.
    ///
    /// @throws IllegalArgumentException if a number is out of its range
    public LoadSettings settings(Extent extent) {
        return settings(
                extent,
                maxInFlight == null && maxInFlightPerSubscriber == null
                        ? LoadSettings.USUAL_BOUND
                        : Objects.requireNonNullElse(maxInFlight, LoadSettings.NO_BOUND),
                Objects.requireNonNullElse(maxInFlightPerSubscriber, LoadSettings.NO_BOUND),
                Duration.ZERO);
    }

    /// @throws IllegalArgumentException if a number is out of its range
    public LoadSettings settings(Extent extent, Provider provider) {
        return settings(
                extent,
                maxInFlight == null ? usualBound(provider) : maxInFlight,
                maxInFlightPerSubscriber == null
                        ? usualBoundPerSubscriber(provider)
                        : maxInFlightPerSubscriber,
                repeatBudget == null ? extent.repeatBudget() : repeatBudget);
    }

    private LoadSettings settings(
            Extent extent, int bound, int boundPerSubscriber, Duration forRepeats) {
        return new LoadSettings(
                warmup == null ? extent.warmup() : warmup,
                duration == null ? extent.duration() : duration,
                cooldown == null ? extent.cooldown() : cooldown,
                delivery,
                async,
                messageSource,
                bound,
                boundPerSubscriber,
                repetitions == null ? extent.repetitions() : repetitions,
                forRepeats);
    }

    /// Settings without any option.
    public static LoadSettings defaults(Extent extent, Provider provider) {
        return new MeasurementOptions().settings(extent, provider);
    }

    private static int usualBound(Provider provider) {
        return provider.isWinnow() ? LoadSettings.NO_BOUND : LoadSettings.USUAL_BOUND;
    }

    private int usualBoundPerSubscriber(Provider provider) {
        return provider.isWinnow() && maxInFlight == null
                ? LoadSettings.USUAL_BOUND_PER_SUBSCRIBER
                : LoadSettings.NO_BOUND;
    }
}
