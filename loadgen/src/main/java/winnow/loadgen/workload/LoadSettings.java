package winnow.loadgen.workload;

import java.time.Duration;

/// How each point is measured. Immutable.
///
/// @param warmup saturated sending before the measured interval
/// @param duration the measured interval
/// @param cooldown saturated sending after it
/// @param bodyBytes size of every message's body
/// @param delivery delivery mode of every message
/// @param maxInFlight copies that may be under way from publishers to subscribers at any time; 0
///   leaves the bound to the broker's flow control
/// @param repetitions how often the whole grid is measured
public record LoadSettings(
        Duration warmup,
        Duration duration,
        Duration cooldown,
        int bodyBytes,
        Delivery delivery,
        int maxInFlight,
        int repetitions) {

    /// Copies: deep enough that no broker measured runs dry, shallow enough that brokers without
    /// flow control do not collect a backlog.
    public static final int DEFAULT_IN_FLIGHT = 10_000;

    public LoadSettings {
        if (!duration.isPositive() || warmup.isNegative() || cooldown.isNegative()) {
            throw new IllegalArgumentException(
                    "expected duration > 0 and warm-up, cool-down >= 0, found %s, %s, %s"
                            .formatted(duration, warmup, cooldown));
        }
        if (bodyBytes < 0 || maxInFlight < 0 || repetitions < 1) {
            throw new IllegalArgumentException(
                    "expected body bytes >= 0, max in flight >= 0, repetitions >= 1,"
                            + " found %d, %d, %d".formatted(bodyBytes, maxInFlight, repetitions));
        }
    }

    /// Empty non-persistent messages, the paper's default, once through the grid.
    public static LoadSettings defaults(Extent extent) {
        return new LoadSettings(
                extent.warmup(),
                extent.duration(),
                extent.cooldown(),
                0,
                Delivery.NON_PERSISTENT,
                DEFAULT_IN_FLIGHT,
                1);
    }

    /// The same settings with other times and one repetition, for warming up.
    public LoadSettings lasting(Duration sending) {
        return new LoadSettings(
                Duration.ZERO, sending, Duration.ZERO, bodyBytes, delivery, maxInFlight, 1);
    }
}
