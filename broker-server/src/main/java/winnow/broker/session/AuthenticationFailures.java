package winnow.broker.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.LogQuota;

/// Counts failed authentications and logs some of them, so that an operator sees who tries and
/// nobody can fill the log. Passwords are not known here. Thread-safe.
final class AuthenticationFailures {
    private static final Logger LOG = LoggerFactory.getLogger(AuthenticationFailures.class);
    private static final int ENTRIES_PER_MINUTE = 20;
    private static final int MAX_SHOWN_CHARACTERS = 100;

    private final LongAdder failures;
    private final LogQuota quota =
            new LogQuota(System::nanoTime, ENTRIES_PER_MINUTE, TimeUnit.MINUTES.toNanos(1));

    AuthenticationFailures(LongAdder failures) {
        this.failures = failures;
    }

    /// @param user as the client gave it, empty if it gave none
    void onFailure(String address, String user, String why) {
        failures.increment();
        long leftOut = quota.take();
        if (leftOut >= 0) {
            LOG.warn(
                    "Authentication of user '{}' from {} failed: {} ({} more were not logged)",
                    printable(user),
                    address,
                    printable(why),
                    leftOut);
        }
    }

    /// What a client wrote neither fills the log nor begins a line of its own.
    static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(MAX_SHOWN_CHARACTERS)
                .map(one -> isShown(one) ? one : '?')
                .forEach(shown::appendCodePoint);
        return text.codePointCount(0, text.length()) > MAX_SHOWN_CHARACTERS
                ? shown + "..."
                : shown.toString();
    }

    private static boolean isShown(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }
}
