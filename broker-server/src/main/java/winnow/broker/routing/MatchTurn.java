package winnow.broker.routing;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Limits how long an event loop matches before it does something else. It looks at the clock about
/// every 50 µs of work, and counts all time from the first look of a turn on, because the loop is
/// away from its sockets, whatever it does in between. Only what comes before that look is
/// estimated. When the turn is over, a long match stops; a short one goes on to its end, and the
/// loop stops before the next message ([#isOver]), for which nothing has to be kept but what was
/// read. Owned by its loop.
final class MatchTurn {
    /// While the messages of one read are matched, with what is done with them in between, or those
    /// that were left of a read when its turn was over. One iteration of the loop has such a turn,
    /// a slice of [winnow.broker.matching.SlicedWork], and sends, which take up to 0.5 ms where the
    /// machine is busy: with 0.3 ms the longest iterations took 1.3 to 2.2 ms with a million
    /// selectors of 3 to 6 conditions.
    static final long READ_NANOS = TimeUnit.MICROSECONDS.toNanos(150);

    /// While a match goes on that was stopped.
    static final long STEP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /// Factor by which a turn is longer where matches are very short. A read of 64 KiB brings 2,600
    /// of the smallest messages, which take 1 to 1.5 ms with 160 filters. Turns of 0.4 and of 1 ms
    /// made such a message 1.2 times as expensive, because what is sent is sent in smaller pieces;
    /// these have 2 ms.
    static final double VERY_SHORT_FACTOR = 40.0 / 3;

    /// A match that has done less than this is very short: a microsecond or so.
    static final long VERY_SHORT_UNITS = 64;

    /// A match that has done less than this is short: some 10 µs, and 0.2 ms where memory is slow.
    static final long LONG_UNITS = 512;

    /// Approximate time of a unit of work before the first look.
    static final long NANOS_PER_UNIT = 20;

    static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    static final int MIN_UNITS = 16;
    static final int MAX_UNITS = 1024;

    /// Units that routing a message counts as besides its copies, where its match does not ask.
    static final int UNITS_PER_MESSAGE = 32;

    private final LongSupplier nanoClock;
    private long limitNanos = READ_NANOS;

    /// When the turn began, as estimated when the clock was first looked at; after that.
    private long startNanos;

    private boolean looked;
    private boolean over;

    /// When a match asked last, in this turn.
    private long askedNanos;

    private boolean asked;

    /// Units allowed last: as much work as took [#LOOK_NANOS] before.
    private int units = MIN_UNITS;

    /// Units of work of whole messages since the last look.
    private int unlooked;

    MatchTurn(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /// A turn begins.
    void begin(long nanos) {
        limitNanos = nanos;
        looked = false;
        asked = false;
        over = false;
        unlooked = 0;
    }

    /// The same for what a match that was stopped does next, which may be a single piece of work of
    /// 0.5 ms: the clock is looked at before that, too.
    void beginStep() {
        begin(STEP_NANOS);
        looked = true;
        startNanos = nanoClock.getAsLong();
    }

    /// A message follows whose properties may take long to read: the clock is looked at before.
    void onManyBytes() {
        if (!looked) {
            looked = true;
            startNanos = nanoClock.getAsLong() - unlooked * NANOS_PER_UNIT;
        }
    }

    /// True if the turn is over.
    boolean isOver() {
        return over;
    }

    /// Approximate number of units of work that may follow; 0 stops the match.
    ///
    /// @param done how many units it has done so far
    /// @param aheadNanos how long it will take about to deliver what it has found
    int unitsAllowed(long done, long aheadNanos) {
        long now = nanoClock.getAsLong();
        if (asked) {
            long took = Math.max(1, now - askedNanos);
            units = Math.clamp(units * LOOK_NANOS / took, MIN_UNITS, MAX_UNITS);
        }
        asked = true;
        askedNanos = now;
        // The first piece of work may have been more than was allowed.
        long unitsBefore = Math.max(done, Math.max(units, unlooked));
        look(now, aheadNanos, unitsBefore, done < VERY_SHORT_UNITS);
        if (!over) {
            return units;
        }
        return done >= LONG_UNITS ? 0 : (int) (LONG_UNITS - done);
    }

    /// A message has been routed. The clock is looked at now and then, even if no match asks.
    void onRouted(int copies) {
        unlooked += UNITS_PER_MESSAGE + copies;
        if (unlooked >= MAX_UNITS) {
            look(nanoClock.getAsLong(), 0, unlooked, true);
        }
    }

    private void look(long now, long aheadNanos, long unitsBefore, boolean veryShort) {
        unlooked = 0;
        if (!looked) {
            looked = true;
            startNanos = now - unitsBefore * NANOS_PER_UNIT;
        }
        long took = now - startNanos + aheadNanos;
        over |= took >= (veryShort ? VERY_SHORT_FACTOR : 1) * limitNanos;
    }
}
