package winnow.loadgen.workload;

import java.time.Duration;
import java.util.Objects;

/// Settings of the measurement of each point. Immutable.
///
/// @param warmup saturated sending before the measured interval
/// @param duration the measured interval
/// @param cooldown saturated sending after it
/// @param delivery delivery mode of every message
/// @param async whether sends are confirmed to a completion listener (Jakarta Messaging 3.1, 7.3)
///   instead of waited for
/// @param messages whether each message is sent once or over and over
/// @param maxInFlight copies that may be under way from publishers to subscribers at any time; 0
///   leaves the bound to the broker's flow control
/// @param maxInFlightPerSubscriber copies that may be under way to each matching subscriber; 0 for
///   no such bound
/// @param repetitions how often the whole grid is measured; an odd number, so that one of them is
///   in the middle
/// @param repeatBudget time after that for measuring disturbed points again, in calmer moments
public record LoadSettings(
        Duration warmup,
        Duration duration,
        Duration cooldown,
        DeliveryGuarantee delivery,
        boolean async,
        MessageSource messages,
        int maxInFlight,
        int maxInFlightPerSubscriber,
        int repetitions,
        Duration repeatBudget) {

    /// Opening, waiting for the last copies, closing, and two calibrations (measured: 0.25 to 0.4 s
    /// with the quick grid).
    private static final Duration BETWEEN = Duration.ofMillis(320);

    /// Part of the time of a bare socket that is cut off at the beginning.
    public static final int BARE_SOCKET_WARM_UP_PART = 4;

    /// The broker's flow control is the only bound.
    public static final int NO_BOUND = 0;

    /// Copies, for brokers without a flow control worth the name: deep enough that none of those
    /// measured runs dry (33 ms at 300,000 copies a second), shallow enough that no backlog grows.
    public static final int USUAL_BOUND = 10_000;

    /// Copies to each subscriber, for Winnow: with what the client has not yet given back of its
    /// credit, a quarter of 32,000, below that credit, so that what a copy costs does not depend on
    /// how long it waits in a backlog; and the same share for each subscriber, so that as many
    /// leave per flush whatever r is. With 4,000 the broker ran dry for r = 1 and its message cost
    /// 8 % more.
    public static final int USUAL_BOUND_PER_SUBSCRIBER = 16_000;

    /// Bytes of bodies under way at most, so that large ones do not fill the heaps of broker and
    /// load.
    private static final int BODIES_IN_FLIGHT = 64 << 20;

    public LoadSettings {
        Objects.requireNonNull(messages, "expected a source of messages, found none");
        Objects.requireNonNull(repeatBudget, "expected a time for measuring again, found none");
        if (!duration.isPositive() || warmup.isNegative() || cooldown.isNegative()) {
            throw new IllegalArgumentException(
                    "expected duration > 0 and warm-up, cool-down >= 0, found %s, %s, %s"
                            .formatted(duration, warmup, cooldown));
        }
        if (repetitions < 1 || repetitions % 2 == 0) {
            throw new IllegalArgumentException(
                    "expected an odd number of repetitions, so that one is in the middle, found "
                            + repetitions);
        }
        if (repeatBudget.isNegative()) {
            throw new IllegalArgumentException(
                    "expected a time >= 0 for measuring again, found " + repeatBudget);
        }
        if (maxInFlight < 0 || maxInFlightPerSubscriber < 0) {
            throw new IllegalArgumentException(
                    "expected bounds of copies in flight >= 0, found %d, %d per subscriber"
                            .formatted(maxInFlight, maxInFlightPerSubscriber));
        }
    }

    /// Non-persistent messages that are made in advance.
    public static LoadSettings defaults(Extent extent, int maxInFlightPerSubscriber) {
        return new LoadSettings(
                extent.warmup(),
                extent.duration(),
                extent.cooldown(),
                DeliveryGuarantee.NON_PERSISTENT,
                false,
                MessageSource.CACHED,
                NO_BOUND,
                maxInFlightPerSubscriber,
                extent.repetitions(),
                extent.repeatBudget());
    }

    /// The same settings with other times and one repetition, for warming up.
    public LoadSettings lasting(Duration sending) {
        return new LoadSettings(
                Duration.ZERO,
                sending,
                Duration.ZERO,
                delivery,
                async,
                messages,
                maxInFlight,
                maxInFlightPerSubscriber,
                1,
                Duration.ZERO);
    }

    /// Time of one measurement, its connections and the pause to the next one included.
    public Duration estimatedTime() {
        return warmup.plus(duration).plus(cooldown).plus(BETWEEN);
    }

    /// Time of a bare socket for one size of bodies, a quarter to warm up included.
    public Duration bareSocketTime() {
        return duration.plus(duration.dividedBy(BARE_SOCKET_WARM_UP_PART));
    }

    /// Copies under way at most at a point; 0 without a bound.
    public int maxInFlight(Point point) {
        var ofSubscribers =
                (int)
                        Math.min(
                                Integer.MAX_VALUE,
                                (long) maxInFlightPerSubscriber * point.receivers());
        var bound =
                ofSubscribers == 0 || maxInFlight == 0
                        ? Math.max(maxInFlight, ofSubscribers)
                        : Math.min(maxInFlight, ofSubscribers);
        var least = point.matching() * point.publishers();
        return bound <= least || point.bodyBytes() == 0
                ? bound
                : Math.max(least, Math.min(bound, BODIES_IN_FLIGHT / point.bodyBytes()));
    }
}
