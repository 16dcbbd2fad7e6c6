package winnow.loadgen.worker;

import java.util.concurrent.TimeUnit;

/// Times at which a publisher is to send, evenly spaced, first for a warm-up and then for what is
/// measured. Immutable.
///
/// @param ratePerSecond messages due in each second
/// @param warmupMillis time before the first message that is measured is due
/// @param durationMillis time in which the messages that are measured are due
public record Pace(int ratePerSecond, long warmupMillis, long durationMillis) {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    public Pace {
        if (ratePerSecond < 1 || ratePerSecond > SECOND || warmupMillis < 0 || durationMillis < 1) {
            throw new IllegalArgumentException(
                    ("expected 1 to %,d messages a second, warm-up >= 0 ms, duration >= 1 ms,"
                                    + " found %,d, %,d, %,d")
                            .formatted(SECOND, ratePerSecond, warmupMillis, durationMillis));
        }
        if (messagesIn(ratePerSecond, warmupMillis + durationMillis)
                == messagesIn(ratePerSecond, warmupMillis)) {
            throw new IllegalArgumentException(
                    ("expected a duration in which a message is due,"
                                    + " found %,d ms at %,d messages a second")
                            .formatted(durationMillis, ratePerSecond));
        }
    }

    /// Messages of warm-up and measurement.
    long messages() {
        return messagesIn(ratePerSecond, warmupMillis + durationMillis);
    }

    /// Messages of the warm-up, the first ones.
    long warmupMessages() {
        return messagesIn(ratePerSecond, warmupMillis);
    }

    /// Time from the beginning to the moment at which a message is due.
    ///
    /// @param message from 0
    long dueNanos(long message) {
        return Math.multiplyExact(message, SECOND) / ratePerSecond;
    }

    /// Messages that are due before a time, the first of them at once.
    private static long messagesIn(int ratePerSecond, long millis) {
        return Math.ceilDiv(
                Math.multiplyExact(millis, ratePerSecond), TimeUnit.SECONDS.toMillis(1));
    }
}
