package winnow.broker.session;

import java.util.EnumSet;
import java.util.Set;
import winnow.broker.routing.MatchQueue;

/// Reasons why a connection is not read at the moment, if there are any. Owned by the connection's
/// event loop.
final class ReadingPauses implements MatchQueue.Reading {
    private final Output output;
    private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);

    enum Reason {
        /// Messages that the client publishes find no memory.
        BLOCKED_DESTINATION,
        /// The recipients of a message, or of those of a transaction, are not all found.
        MATCH,
        /// Others have their turn first.
        TURN_OVER,
        /// The storage has too much to do for this client.
        STORAGE_LAG,
        /// Messages on their way to the storage take too much memory.
        STORAGE_MEMORY,
        /// Messages on their way to the storage keep it busy for too long.
        STORAGE_WORK,
        /// Commands to the storage take too much memory.
        COMMAND_MEMORY,
        /// There is no memory for a request with many delivery ids.
        HELD_REQUEST
    }

    ReadingPauses(Output output) {
        this.output = output;
    }

    void begin(Reason reason) {
        if (reasons.isEmpty()) {
            output.input().pause(true);
        }
        reasons.add(reason);
    }

    void end(Reason reason) {
        if (reasons.remove(reason) && reasons.isEmpty()) {
            output.input().pause(false);
        }
    }

    @Override
    public void pause() {
        begin(Reason.MATCH);
    }

    @Override
    public void goOn() {
        end(Reason.MATCH);
    }
}
