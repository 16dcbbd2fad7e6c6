package winnow.broker.shard;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The messages that are in memory. Those that the log has leave it when there are too many, the
/// oldest first, and are read again when a consumer comes to them. Those that it has not, because
/// they are not persistent, are written then. Owned by its shard.
final class MessageWindow {
    private final long maxBytes;
    private final Set<StoredMessage> byAge = new LinkedHashSet<>();
    private long bytes;

    MessageWindow(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    long bytes() {
        return bytes;
    }

    void add(StoredMessage message) {
        message.destination.hold(message);
        byAge.add(message);
        bytes += message.block.length;
    }

    /// Nobody needs the message any more.
    void remove(StoredMessage message) {
        if (byAge.remove(message)) {
            message.destination.drop(message.sequence);
            bytes -= message.block.length;
        }
    }

    /// Makes room.
    ///
    /// @param spill writes a message that the log has not; it leaves later
    void shrink(Consumer<StoredMessage> spill) {
        if (bytes <= maxBytes) {
            return;
        }
        List<StoredMessage> leaving = new ArrayList<>();
        long left = bytes;
        for (Iterator<StoredMessage> oldest = byAge.iterator();
                left > maxBytes && oldest.hasNext(); ) {
            StoredMessage message = oldest.next();
            left -= message.block.length;
            if (message.readable) {
                leaving.add(message);
            } else if (!message.stored) {
                spill.accept(message);
            }
        }
        leaving.forEach(this::remove);
    }
}
