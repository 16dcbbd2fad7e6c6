package winnow.client.receive;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/// Time that an application takes for a message of one consumer: from the moment that it gets one
/// until it wants another. Time in which it waits for messages does not count.
///
/// The clock is read once for several messages where they are quick. Messages are noted by the
/// session's thread of control; any thread may ask.
public final class ConsumptionPace {
    /// Stands for the number of messages while the application waits.
    private static final int WAITING = -1;

    private final LongSupplier nanoClock;
    private volatile long beganNanos;

    /// Messages that the application is done with since then, or [#WAITING].
    private final AtomicInteger done = new AtomicInteger(WAITING);

    private volatile long lastNanos;
    private volatile boolean unread;

    public ConsumptionPace(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /// The application gets a message, and is done with the one before.
    ///
    /// @param together messages that are measured together
    void onTaken(int together) {
        int before = done.getPlain();
        if (before == WAITING) {
            begin(nanoClock.getAsLong());
        } else if (before + 1 >= together) {
            begin(measure(before + 1));
        } else {
            done.setRelease(before + 1);
        }
    }

    /// The application is done with what it got, and there is nothing else.
    void onDrained() {
        int before = done.getPlain();
        if (before != WAITING) {
            long unused = measure(before + 1);
            done.setRelease(WAITING);
        }
    }

    private void begin(long nanos) {
        beganNanos = nanos;
        done.setRelease(0);
    }

    private long measure(int messages) {
        long now = nanoClock.getAsLong();
        lastNanos = Math.max(1, (now - beganNanos) / messages);
        unread = true;
        return now;
    }

    /// Time measured last, in ns for a message; 0 if none was since this was asked before.
    long next() {
        if (!unread) {
            return 0;
        }
        unread = false;
        return lastNanos;
    }

    /// The same at any time. Where the application has not wanted another message for longer, that
    /// counts.
    ///
    /// @return 0 if nothing is known
    long now() {
        int before = done.getAcquire();
        if (before == WAITING) {
            return lastNanos;
        }
        return Math.max(lastNanos, (nanoClock.getAsLong() - beganNanos) / (before + 1));
    }
}
