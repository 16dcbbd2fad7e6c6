package winnow.broker.destination;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import winnow.selector.index.MatchPause;

/// How long an event loop matches before it does something else. It looks at the clock about every
/// 50 µs of work, and counts all time from the first look of a turn on, because the loop is away
/// from its sockets, whatever it does in between. Only what comes before that look is estimated. To
/// end a turn costs about as much as routing 200 messages, so reads of short matches get longer
/// ones. Owned by its loop.
final class MatchTurn implements MatchPause {
    /// While the messages of one read are matched, with what is done with them in between.
    static final long READ_NANOS = TimeUnit.MICROSECONDS.toNanos(400);

    /// The same if the match that looks at the clock has done less than [#SHORT_UNITS], and so
    /// those before it, as a rule. A read of 64 KiB of the smallest messages that 160 filters look
    /// at is done in 0.5 ms. With turns of 0.4 ms for it, a message cost 1.2 µs of the broker's
    /// time, with 1 ms 0.44 µs, and 0.37 µs if turns never ended.
    static final long SHORT_READ_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /// Less than this is a short match.
    static final long SHORT_UNITS = 64;

    /// While a match goes on that was stopped.
    static final long STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /// While messages are matched that were read behind a match that has just ended: the step that
    /// ended it has held the loop already.
    static final long BEHIND_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /// What work before the first look takes about.
    static final long NANOS_PER_UNIT = 20;

    static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    static final int MIN_UNITS = 16;
    static final int MAX_UNITS = 1024;

    private final LongSupplier nanoClock;
    private long limitNanos = READ_NANOS;
    private long spentNanos;
    private long lastNanos;

    /// Whether the clock was looked at in this turn.
    private boolean looked;

    /// What was allowed last: as much work as took [#LOOK_NANOS] before.
    private int units = MIN_UNITS;

    MatchTurn(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /// A turn begins.
    void begin(long nanos) {
        limitNanos = nanos;
        spentNanos = 0;
        looked = false;
    }

    /// How much of the turn is over, as of the last look at the clock.
    long spentNanos() {
        return spentNanos;
    }

    @Override
    public int unitsAllowed(long done) {
        long now = nanoClock.getAsLong();
        if (looked) {
            long took = Math.max(1, now - lastNanos);
            spentNanos += took;
            units = Math.clamp(units * LOOK_NANOS / took, MIN_UNITS, MAX_UNITS);
        } else {
            looked = true;
            spentNanos += units * NANOS_PER_UNIT;
        }
        lastNanos = now;
        long limit = done < SHORT_UNITS ? Math.max(limitNanos, SHORT_READ_NANOS) : limitNanos;
        return spentNanos < limit ? units : 0;
    }
}
