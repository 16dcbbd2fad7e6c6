package winnow.broker.transport;

import java.util.ArrayDeque;
import winnow.broker.subscription.Loop;

/// Turns of the large messages that are copied for sockets piece by piece: one piece of one of them
/// is copied per iteration of the loop. Owned by its loop.
final class CopyTurns {
    private final Loop loop;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean scheduled;

    CopyTurns(Loop loop) {
        this.loop = loop;
    }

    /// Has a piece copied when it is its turn, in a later iteration.
    ///
    /// @param copyPiece may ask for another turn
    void add(Runnable copyPiece) {
        waiting.addLast(copyPiece);
        scheduleNext();
    }

    private void scheduleNext() {
        if (!scheduled) {
            scheduled = true;
            loop.executeAfterReading(this::copyNext);
        }
    }

    /// A turn may add others.
    private void copyNext() {
        scheduled = false;
        loop.faults().run(waiting.removeFirst());
        if (!waiting.isEmpty()) {
            scheduleNext();
        }
    }
}
