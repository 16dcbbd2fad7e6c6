package winnow.client.session;

import java.util.concurrent.TimeUnit;

/// Times for which a consumer waits in vain before it asks for what others were sent ahead, the
/// first time and again. Not thread-safe.
final class AskTimes {
    /// Longer than a message takes that is on its way.
    private static final long FIRST_MILLIS = 50;

    /// Asking costs a frame and its answer: of 10,000 consumers that wait, 2,000 ask a second.
    private static final long LAST_MILLIS = 5000;

    private long millis = FIRST_MILLIS;

    long millis() {
        return millis;
    }

    long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /// It has waited and asked.
    void onAsked() {
        millis = Math.min(LAST_MILLIS, 2 * millis);
    }

    /// It has got something.
    void onMessage() {
        millis = FIRST_MILLIS;
    }
}
