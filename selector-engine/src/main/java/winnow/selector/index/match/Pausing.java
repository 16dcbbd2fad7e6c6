package winnow.selector.index.match;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.api.MatchPause;

/// Tells whether a match has to stop: asks a [MatchPause] now and then. Owned by one event loop.
final class Pausing {
    /// Looking which nodes of a block may match takes some 200 ns.
    static final int UNITS_PER_BLOCK = 8;

    /// Looking the value of a slot up takes 20 to 100 ns where it leads to nothing.
    static final int UNITS_PER_SLOT = 2;

    /// Rows whose tests are a unit of work.
    static final int ROWS_PER_UNIT = 4;

    /// [winnow.selector.index.term.Formula#effort] is in nanoseconds.
    static final int EFFORT_PER_UNIT = 16;

    private final @Nullable MatchPause pause;

    /// True if the match may be stopped.
    private boolean on;

    /// The pause is asked when so many units of work have been done.
    private long askAt;

    /// Units of work when the match began.
    private long begunAt;

    private boolean stopped;

    /// @param pause null if no match is ever stopped
    Pausing(@Nullable MatchPause pause) {
        this.pause = pause;
    }

    /// A match begins.
    void begin(boolean mayStop, Matching matching) {
        on = mayStop && pause != null;
        if (on) {
            begunAt = matching.units();
            stopped = false;
        }
    }

    /// A match that was stopped goes on, with one unit of work at least.
    ///
    /// @param units done so far
    void resume(long units) {
        stopped = false;
        askAt = units + 1;
    }

    /// True if the match may be stopped: if not, nobody has to find out what was done so far.
    boolean mayStop() {
        return on;
    }

    /// True if the rest of a match that may be stopped has to be left for later.
    ///
    /// @param units done so far
    boolean isOver(long units) {
        return stopped || (units >= askAt && stops(units));
    }

    private boolean stops(long units) {
        int allowed = pause == null ? Integer.MAX_VALUE : pause.unitsAllowed(units - begunAt);
        askAt = units + allowed;
        stopped = allowed <= 0;
        return stopped;
    }
}
