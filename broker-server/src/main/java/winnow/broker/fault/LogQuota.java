package winnow.broker.fault;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Limits how often something may be logged: so many times in each period. What is left out is
/// counted, to be told with the next entry. Thread-safe.
public final class LogQuota {
    private static final int ENTRIES_PER_MINUTE = 20;

    private final LongSupplier clock;
    private final int entries;
    private final long periodNanos;
    private long periodStart;
    private int used;
    private long leftOut;

    /// Some a minute, which nobody overlooks and no disk minds.
    public LogQuota() {
        this(System::nanoTime, ENTRIES_PER_MINUTE, TimeUnit.MINUTES.toNanos(1));
    }

    /// @param clock nanoseconds, as of `System.nanoTime`
    /// @param entries allowed in a period
    public LogQuota(LongSupplier clock, int entries, long periodNanos) {
        this.clock = clock;
        this.entries = entries;
        this.periodNanos = periodNanos;
        this.periodStart = clock.getAsLong();
    }

    /// Logs one entry, unless it is to be left out.
    ///
    /// @param line logs it, with its argument at the end: how many were left out before, empty if
    ///   none was
    public void log(Consumer<String> line) {
        long before = take();
        if (before >= 0) {
            line.accept(before == 0 ? "" : " (" + before + " more were not logged)");
        }
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
