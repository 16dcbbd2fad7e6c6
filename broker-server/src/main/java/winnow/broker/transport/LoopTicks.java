package winnow.broker.transport;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/// When each event loop last ran its timer, which tells those that hang. Thread-safe.
final class LoopTicks {
    /// Between two ticks of a loop.
    static final int INTERVAL_MILLIS = 500;

    private final LongSupplier nanoClock;
    private final AtomicLongArray lastNanos;

    LoopTicks(int loops, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.lastNanos = new AtomicLongArray(loops);
        for (int i = 0; i < loops; i++) {
            onTick(i);
        }
    }

    /// Called on the loop.
    void onTick(int loop) {
        lastNanos.set(loop, nanoClock.getAsLong());
    }

    /// Which loop has not ticked for longer than this, and for how long; empty if all have.
    String stalled(Duration limit) {
        long now = nanoClock.getAsLong();
        for (int i = 0; i < lastNanos.length(); i++) {
            Duration silence = Duration.ofNanos(now - lastNanos.get(i));
            if (silence.compareTo(limit) > 0) {
                return "event loop " + i + " has not run for " + silence.toMillis() + " ms";
            }
        }
        return "";
    }
}
