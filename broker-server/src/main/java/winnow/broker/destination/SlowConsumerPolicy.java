package winnow.broker.destination;

import java.time.Duration;

/// What is done about a subscription that holds the producers of its topic back.
///
/// @param after how long it may do so before
public record SlowConsumerPolicy(Action action, Duration after) {
    private static final Duration MAX_AFTER = Duration.ofHours(24);

    /// Producers wait for as long as it takes; nothing is lost.
    public static final SlowConsumerPolicy BLOCK =
            new SlowConsumerPolicy(Action.BLOCK, Duration.ZERO);

    /// What can be done.
    public enum Action {
        /// Producers wait.
        BLOCK,
        /// The oldest messages that wait are dropped.
        DROP_OLDEST,
        /// The connection is closed.
        DISCONNECT
    }

    public SlowConsumerPolicy {
        if (after.isNegative() || after.compareTo(MAX_AFTER) > 0) {
            throw new IllegalArgumentException(
                    "expected a time of 0s to 1440m, found " + after.toSeconds() + "s");
        }
    }
}
