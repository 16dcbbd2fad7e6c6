package winnow.broker.fault;

import java.util.function.LongSupplier;

/// How often something may be logged: so many times in each period. What is left out is counted, to
/// be told with the next entry. Thread-safe.
public final class LogQuota {
    private final LongSupplier clock;
    private final int entries;
    private final long periodNanos;
    private long periodStart;
    private int used;
    private long leftOut;

    /// @param clock nanoseconds, as of `System.nanoTime`
    /// @param entries allowed in a period
    public LogQuota(LongSupplier clock, int entries, long periodNanos) {
        this.clock = clock;
        this.entries = entries;
        this.periodNanos = periodNanos;
        this.periodStart = clock.getAsLong();
    }

    /// Asks for one entry.
    ///
    /// @return how many were left out since the last one, -1 if this one is to be left out, too
    public synchronized long take() {
        long now = clock.getAsLong();
        if (now - periodStart >= periodNanos) {
            periodStart = now;
            used = 0;
        }
        if (used == entries) {
            leftOut++;
            return -1;
        }
        used++;
        long told = leftOut;
        leftOut = 0;
        return told;
    }
}
