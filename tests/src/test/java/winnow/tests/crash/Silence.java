package winnow.tests.crash;

import java.util.concurrent.TimeUnit;

/// The longest time between two things that happen. Thread-safe.
final class Silence {
    private long last;
    private long longest;

    /// @param now in nanoseconds, as are the others
    synchronized void begin(long now) {
        last = now;
        longest = 0;
    }

    /// Something has happened.
    synchronized void end(long now) {
        longest = Math.max(longest, now - last);
        last = now;
    }

    synchronized long longestMillis(long now) {
        end(now);
        return TimeUnit.NANOSECONDS.toMillis(longest);
    }
}
