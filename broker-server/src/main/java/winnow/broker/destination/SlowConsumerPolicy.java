package winnow.broker.destination;

import java.time.Duration;

/// Treatment of a subscription for which more waits than its buffer takes.
///
/// @param after how long it may hold the producers of its topic back before
public record SlowConsumerPolicy(Action action, Duration after) {
    private static final Duration MAX_AFTER = Duration.ofHours(24);

    /// It goes on waiting, by itself, within the limits of what may wait on the disk or in memory.
    public static final SlowConsumerPolicy SPILL =
            new SlowConsumerPolicy(Action.SPILL, Duration.ZERO);

    /// Producers wait for as long as it takes; nothing is lost.
    public static final SlowConsumerPolicy BLOCK =
            new SlowConsumerPolicy(Action.BLOCK, Duration.ZERO);

    /// Action against a slow consumer.
    public enum Action {
        /// Messages that wait for it go to the disk, and producers do not wait.
        SPILL,
        /// Producers wait.
        BLOCK,
        /// The oldest messages that wait are dropped.
        DROP_OLDEST,
        /// The connection is closed.
        DISCONNECT;

        /// True if it is done after a time in which producers wait.
        boolean timed() {
            return this == DROP_OLDEST || this == DISCONNECT;
        }
    }

    public SlowConsumerPolicy {
        if (after.isNegative() || after.compareTo(MAX_AFTER) > 0) {
            throw new IllegalArgumentException(
                    "expected a time of 0s to 1440m, found " + after.toSeconds() + "s");
        }
    }
}
