package winnow.broker.session;

import winnow.broker.destination.Router;
import winnow.broker.destination.SlicedWork;

/// Stops one connection between two messages when the turn of its loop is over, and lets it go on
/// with what was read when others had theirs. Owned by the connection's event loop.
final class ReadTurns implements SlicedWork.Work {
    private final SlicedWork work;
    private final Output output;
    private final Router router;
    private final ReadingPauses pauses;
    private volatile boolean waiting;
    private boolean closed;

    /// @param work of the connection's loop
    ReadTurns(SlicedWork work, Output output, ReadingPauses pauses) {
        this.work = work;
        this.output = output;
        this.router = output.loop().router();
        this.pauses = pauses;
    }

    /// A message has been routed.
    void onRouted() {
        if (router.isTurnOver() && !waiting && !closed) {
            waiting = true;
            pauses.begin(ReadingPauses.Reason.TURN_OVER);
            work.add(this);
        }
    }

    /// Whether the connection waits for its next turn. Any thread.
    boolean isWaiting() {
        return waiting;
    }

    @Override
    public boolean step() {
        if (waiting) {
            waiting = false;
            try {
                router.beginBehind();
                pauses.end(ReadingPauses.Reason.TURN_OVER);
            } catch (Throwable fault) {
                output.loop().faults().onFault(output, fault);
            }
        }
        return false;
    }

    /// The connection has gone.
    void close() {
        waiting = false;
        closed = true;
    }
}
