package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The direct copies of large messages that sockets have not taken yet: each is made once for all
/// connections of a loop. Together they take no more than a limit, so that clients that do not read
/// cannot use direct memory up; a message that finds no room waits as if its client had no credit.
/// Owned by its loop.
final class LargeBlocks {
    /// Blocks looked at whenever there is one more: those that sockets have taken are released
    /// faster than new ones come.
    private static final int LOOKED_AT = 4;

    private final long limitBytes;

    /// Each with a reference of this class.
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();

    /// Blocks of messages that come again, by number, each with one reference more; null if it was
    /// not asked for yet.
    private final Map<Long, @Nullable ByteBuf> expected = new HashMap<>();

    private final LinkedHashSet<ConnectionOutput> awaiting = new LinkedHashSet<>();
    private long heldBytes;
    private @Nullable ByteBuf current;
    private long currentMessage;

    LargeBlocks(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// Whether a message's block may be asked for. One that is larger than the limit may while
    /// there is no other.
    ///
    /// @param message its number on the loop
    /// @param output told by [ConnectionOutput#onRoom] when there is room, if there is none now
    boolean hasRoom(long message, int bytes, ConnectionOutput output) {
        if (heldBytes + bytes <= limitBytes || isCurrent(message)) {
            return true;
        }
        release(held.size());
        if (held.isEmpty() || heldBytes + bytes <= limitBytes) {
            return true;
        }
        awaiting.add(output);
        return false;
    }

    private boolean isCurrent(long message) {
        return (current != null && message == currentMessage) || expected(message) != null;
    }

    private @Nullable ByteBuf expected(long message) {
        return expected.isEmpty() ? null : expected.get(message);
    }

    /// A message comes again: its copy is kept until [#endExpected].
    void expect(long message) {
        expected.put(message, null);
    }

    /// A message does not come again.
    void endExpected(long message) {
        ByteBuf block = expected.remove(message);
        if (block != null) {
            block.release();
        }
    }

    /// The one copy of a message's block. Borrowed until [#endMessages]: keep it by a retained
    /// duplicate.
    ByteBuf of(long message, byte[] array, int start, int end) {
        ByteBuf block = current;
        if (block == null || message != currentMessage) {
            current = null;
            release(LOOKED_AT);
            block = expected(message);
            if (block == null) {
                block = copy(array, start, end);
                if (expected.containsKey(message)) {
                    expected.put(message, block.retain());
                }
            }
            current = block;
            currentMessage = message;
        }
        return block;
    }

    private ByteBuf copy(byte[] array, int start, int end) {
        ByteBuf block = ByteBufAllocator.DEFAULT.directBuffer(end - start);
        block.writeBytes(array, start, end - start);
        held.addLast(block);
        heldBytes += block.capacity();
        return block;
    }

    /// No block is borrowed any more, and sockets have taken what they take at the moment.
    void endMessages() {
        current = null;
        release(held.size());
        if (!awaiting.isEmpty() && heldBytes <= limitBytes / 2) {
            List<ConnectionOutput> told = List.copyOf(awaiting);
            awaiting.clear();
            told.forEach(ConnectionOutput::onRoom);
        }
    }

    /// The connection has gone, and what it had not taken.
    void onClosed(ConnectionOutput output) {
        awaiting.remove(output);
        release(held.size());
    }

    @SuppressWarnings("ReferenceEquality") // It is about the buffer, not what is in it.
    private void release(int count) {
        for (int i = Math.min(count, held.size()); i > 0; i--) {
            ByteBuf block = held.removeFirst();
            if (block != current && block.refCnt() == 1) {
                heldBytes -= block.capacity();
                block.release();
            } else {
                held.addLast(block);
            }
        }
    }

    /// Bytes that sockets have not taken, or whose release has not been noticed.
    long heldBytes() {
        return heldBytes;
    }
}
