package winnow.broker.session;

import java.util.EnumSet;
import java.util.Set;

/// Why a connection is not read at the moment, if there is a reason. Owned by the connection's
/// event loop.
final class ReadingPauses {
    private final Output output;
    private final Set<Reason> reasons = EnumSet.noneOf(Reason.class);

    enum Reason {
        /// What the client publishes finds no memory.
        BLOCKED_DESTINATION,
        /// The recipients of a message are not all found.
        LONG_MATCH,
        /// The messages of a transaction that is to be committed are not all matched.
        TRANSACTION,
        /// Others have their turn first.
        TURN_OVER,
        /// The storage has too much to do for this client.
        STORAGE_LAG,
        /// What is on its way to the storage takes too much memory.
        STORAGE_MEMORY,
        /// Messages on their way to the storage keep it busy for too long.
        STORAGE_WORK,
        /// Commands to the storage take too much memory.
        COMMAND_MEMORY,
        /// There is no memory for a frame with many delivery ids.
        HELD_FRAME
    }

    ReadingPauses(Output output) {
        this.output = output;
    }

    void begin(Reason reason) {
        if (reasons.isEmpty()) {
            output.pauseReading(true);
        }
        reasons.add(reason);
    }

    void end(Reason reason) {
        if (reasons.remove(reason) && reasons.isEmpty()) {
            output.pauseReading(false);
        }
    }
}
