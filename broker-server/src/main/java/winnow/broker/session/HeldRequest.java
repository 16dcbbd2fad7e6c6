package winnow.broker.session;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request with many delivery ids that came while commands took too much memory: in the client's
/// bytes it takes an eighth of what its ids take when they are read. Nothing behind it is read
/// before there is room. Owned by the connection's event loop.
final class HeldRequest {
    private final StorageCommands commands;
    private final ReadingPauses pauses;
    private long heapBytes;

    /// Written by the loop.
    private volatile @Nullable Runnable held;

    HeldRequest(StorageCommands commands, ReadingPauses pauses) {
        this.commands = commands;
        commands.holdsBack(this);
        this.pauses = pauses;
    }

    /// True if there is such a request. Any thread.
    boolean isHolding() {
        return held != null;
    }

    /// Keeps a request if there is no room for what it brings.
    ///
    /// @param bytes the most that it can take of the heap when it is read
    /// @param request keeps its bytes and gives what carries it out; not called otherwise
    /// @return false if it is to be carried out now
    boolean hold(long bytes, Supplier<Runnable> request) {
        if (commands.hasRoom(bytes)) {
            return false;
        }
        heapBytes = bytes;
        held = request.get();
        pauses.begin(ReadingPauses.Reason.HELD_REQUEST);
        return true;
    }

    /// Carries the request out, if there is room for it now.
    void tryAgain() {
        Runnable request = held;
        if (request == null || !commands.hasRoom(heapBytes)) {
            return;
        }
        held = null;
        request.run();
        pauses.end(ReadingPauses.Reason.HELD_REQUEST);
    }

    /// The connection has gone.
    void close() {
        held = null;
    }
}
