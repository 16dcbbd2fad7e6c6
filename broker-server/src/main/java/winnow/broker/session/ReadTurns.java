package winnow.broker.session;

import winnow.broker.matching.SlicedWork;
import winnow.broker.routing.Router;

/// Stops one connection between two messages when the turn of its loop is over, and lets it go on
/// with what was read when others had theirs. Owned by the connection's event loop.
final class ReadTurns implements SlicedWork.Work {
    private final SlicedWork work;
    private final Output output;
    private final Router router;
    private final ReadingPauses pauses;
    private boolean waiting;

    /// Written by the loop.
    private volatile boolean unfinished;

    private boolean ended;

    /// @param work of the connection's loop
    ReadTurns(SlicedWork work, Output output, ReadingPauses pauses) {
        this.work = work;
        this.output = output;
        this.router = output.loop().router();
        this.pauses = pauses;
    }

    /// A message has been routed. If there is hardly memory for what was read, the connection goes
    /// on at once.
    void onRouted() {
        if (router.isTurnOver() && !waiting && !ended && output.input().hasRoomForPause()) {
            waiting = true;
            unfinished = true;
            pauses.begin(ReadingPauses.Reason.TURN_OVER);
            work.add(this);
        }
    }

    /// True if the connection waits for its next turn.
    boolean isWaiting() {
        return waiting;
    }

    /// True if the connection waits for its next turn, or goes on with what was read. Any thread.
    boolean isUnfinished() {
        return unfinished;
    }

    @Override
    public boolean step() {
        try {
            goOn();
        } catch (Throwable fault) {
            output.loop().faults().onFault(output, fault);
        }
        return false;
    }

    private void goOn() {
        if (waiting) {
            waiting = false;
            router.beginTurn();
            pauses.end(ReadingPauses.Reason.TURN_OVER);
            unfinished = waiting;
        }
    }

    /// Nothing more will be read: what was read goes on now, and does not stop any more.
    void end() {
        ended = true;
        goOn();
    }

    /// The connection has gone.
    void close() {
        ended = true;
        waiting = false;
        unfinished = false;
    }
}
