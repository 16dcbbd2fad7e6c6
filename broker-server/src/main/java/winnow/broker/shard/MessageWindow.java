package winnow.broker.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.memory.HeapPart;

/// The messages that are in memory. Those that the log has leave it when there are too many, the
/// oldest first, and are read again when a consumer comes to them. Those that it has not, because
/// they are not persistent, are written then. What counts is what they take of the heap. Owned by
/// its shard.
final class MessageWindow {
    private final HeapPart heap;

    /// The messages are linked by their age.
    private @Nullable StoredMessage oldest;

    private @Nullable StoredMessage newest;
    private long bytes;

    MessageWindow(HeapPart heap) {
        this.heap = heap;
    }

    long bytes() {
        return bytes;
    }

    /// True if there is more than there should be: the oldest have to go to the log.
    boolean isFull() {
        return bytes > heap.availableBytes();
    }

    void add(StoredMessage message) {
        long before = message.destination.windowHeapBytes();
        message.destination.hold(message);
        bytes += message.destination.windowHeapBytes() - before;
        StoredMessage last = newest;
        message.older = last;
        if (last == null) {
            oldest = message;
        } else {
            last.newer = message;
        }
        newest = message;
        count(message, message.heapBytes());
        heap.follow(bytes);
    }

    /// Nobody needs the message any more.
    void remove(StoredMessage message) {
        if (message.older == null && message.newer == null && message != oldest) {
            return;
        }
        unlink(message);
        long before = message.destination.windowHeapBytes();
        message.destination.drop(message.sequence);
        bytes += message.destination.windowHeapBytes() - before;
        count(message, -message.heapBytes());
        heap.follow(bytes);
    }

    private void count(StoredMessage message, long change) {
        bytes += change;
        MessageOwner owner = message.owner;
        if (owner != null) {
            owner.windowBytes += change;
        }
    }

    private void unlink(StoredMessage message) {
        StoredMessage older = message.older;
        StoredMessage newer = message.newer;
        if (older == null) {
            oldest = newer;
        } else {
            older.newer = newer;
        }
        if (newer == null) {
            newest = older;
        } else {
            newer.older = older;
        }
        message.older = null;
        message.newer = null;
    }

    /// Makes room.
    ///
    /// @param spill writes a message that the log has not; it leaves later
    void shrink(Consumer<StoredMessage> spill) {
        long maxBytes = heap.availableBytes();
        if (bytes <= maxBytes) {
            return;
        }
        List<StoredMessage> leaving = new ArrayList<>();
        long left = bytes;
        for (StoredMessage message = oldest;
                left > maxBytes && message != null;
                message = message.newer) {
            left -= message.heapBytes();
            if (message.readable) {
                leaving.add(message);
            } else if (!message.stored) {
                spill.accept(message);
            }
        }
        leaving.forEach(this::remove);
    }
}
