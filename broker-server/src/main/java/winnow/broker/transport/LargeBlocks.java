package winnow.broker.transport;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.BacklogMemory;
import winnow.broker.subscription.Loop;

/// The direct copies of large messages that sockets have not taken yet: each is made once for all
/// connections of a loop. Together they take no more than a limit, so that clients that do not read
/// cannot use direct memory up; a message that finds no room waits as if its client had no credit.
/// Copies that are made piece by piece take turns ([CopyTurns]). Owned by its loop.
final class LargeBlocks {
    /// Pieces looked at whenever there is one more: those that sockets have taken are released
    /// faster than new ones come.
    private static final int LOOKED_AT = 4;

    private final Loop loop;
    private final BacklogMemory memory;
    private final long limitBytes;

    /// Room for less is left to gather before it is told.
    private final long leastRoom;

    /// Pieces of blocks, each with a reference of this class.
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();

    /// Blocks of messages that come again, by number, each kept once more; null if it was not asked
    /// for yet.
    private final Map<Long, @Nullable LargeBlock> expected = new HashMap<>();

    /// Blocks that are being copied, each kept once more.
    private final List<LargeBlock> incomplete = new ArrayList<>();

    private final CopyTurns turns;

    /// Outputs that found no room, in the order in which they asked, and the bytes that they want.
    private final Map<ConnectionOutput, Integer> awaiting = new LinkedHashMap<>();

    private long heldBytes;
    private @Nullable LargeBlock current;
    private long currentMessage;

    /// @param memory is charged for an array as long as a block is copied from it
    LargeBlocks(Loop loop, BacklogMemory memory, long limitBytes) {
        this.loop = loop;
        this.turns = new CopyTurns(loop);
        this.memory = memory;
        this.limitBytes = limitBytes;
        this.leastRoom = Math.min(LargeBlock.PIECE_BYTES, limitBytes / 2);
    }

    /// True if a message's block may be asked for. One that is larger than the limit may while
    /// there is no other.
    ///
    /// @param message its number on the loop
    /// @param output told by [ConnectionOutput#onRoom] when there is room, if there is none now
    boolean hasRoom(long message, int bytes, ConnectionOutput output) {
        return isCurrent(message) || hasRoom(bytes, output);
    }

    /// True if so much may be allocated for a connection alone, and charged by [#take]. More than
    /// the limit may while nothing else is held.
    ///
    /// @param output told by [ConnectionOutput#onRoom] when there is room, if there is none now
    boolean hasRoom(int bytes, ConnectionOutput output) {
        if (heldBytes + bytes <= limitBytes) {
            return true;
        }
        release(held.size());
        if (heldBytes == 0 || heldBytes + bytes <= limitBytes) {
            return true;
        }
        awaiting.put(output, bytes);
        return false;
    }

    /// Something is about to be allocated for a connection alone.
    void take(int bytes) {
        heldBytes += bytes;
    }

    /// It has been released.
    void give(int bytes) {
        heldBytes -= bytes;
        tellRoom();
    }

    /// Turns that others who copy take with these blocks.
    CopyTurns turns() {
        return turns;
    }

    private boolean isCurrent(long message) {
        return current(message) != null || expected(message) != null;
    }

    private @Nullable LargeBlock current(long message) {
        return message == currentMessage ? unlessFailed(current) : null;
    }

    private @Nullable LargeBlock expected(long message) {
        return expected.isEmpty() ? null : unlessFailed(expected.get(message));
    }

    /// The message may come again where there was no memory for all of a block, and gets another.
    private static @Nullable LargeBlock unlessFailed(@Nullable LargeBlock block) {
        return block == null || block.hasFailed() ? null : block;
    }

    /// A message comes again: its copy is kept until [#endExpected].
    void expect(long message) {
        expected.put(message, null);
    }

    /// A message does not come again.
    void endExpected(long message) {
        LargeBlock block = expected.remove(message);
        if (block != null) {
            block.letGo();
        }
    }

    /// The one copy of a message's block. Borrowed until [#endMessages].
    ///
    /// @param array of a block of more than [LargeBlock#PIECE_BYTES] it must never be changed
    LargeBlock of(long message, byte[] array, int start, int end) {
        LargeBlock block = current(message);
        if (block == null) {
            endCurrent();
            release(LOOKED_AT);
            block = expected(message);
            if (block == null) {
                block = begin(array, start, end);
                if (expected.containsKey(message)) {
                    LargeBlock failed = expected.put(message, block.keep());
                    if (failed != null) {
                        failed.letGo();
                    }
                }
            }
            current = block.keep();
            currentMessage = message;
        }
        return block;
    }

    private void endCurrent() {
        LargeBlock ended = current;
        current = null;
        if (ended != null) {
            ended.letGo();
        }
    }

    private LargeBlock begin(byte[] array, int start, int end) {
        LargeBlock block = new LargeBlock(array, start, end);
        if (block.bytes() <= LargeBlock.PIECE_BYTES) {
            held.addLast(block.copyPiece().retain());
        } else {
            memory.take(block.bytes());
            incomplete.add(block.keep());
            turns.add(() -> copySome(block));
        }
        heldBytes += block.bytes();
        return block;
    }

    /// Copies a piece of a block, if somebody wants it. Its end may begin another block.
    private void copySome(LargeBlock block) {
        int missing = block.missingBytes();
        if (block.isWanted()) {
            try {
                held.addLast(block.copyPiece().retain());
                missing = block.missingBytes();
                if (missing > 0) {
                    turns.add(() -> copySome(block));
                    return;
                }
            } catch (Throwable fault) {
                block.fail().forEach(output -> loop.faults().onFault(output, fault));
            }
        }
        heldBytes -= missing;
        incomplete.remove(block);
        memory.give(block.bytes());
        block.letGo();
    }

    /// No block is borrowed any more, and sockets have taken what they take at the moment.
    void endMessages() {
        endCurrent();
        release(held.size());
        tellRoom();
    }

    /// Tells those who wait, the first of them first, as far as there is room for what they want.
    private void tellRoom() {
        long free = heldBytes == 0 ? Long.MAX_VALUE : limitBytes - heldBytes;
        if (awaiting.isEmpty() || free < leastRoom) {
            return;
        }
        List<ConnectionOutput> told = new ArrayList<>();
        for (Map.Entry<ConnectionOutput, Integer> each : awaiting.entrySet()) {
            if (free < leastRoom) {
                break;
            }
            if (each.getValue() <= free) {
                free = Math.min(free, limitBytes) - each.getValue();
                told.add(each.getKey());
            }
        }
        awaiting.keySet().removeAll(told);
        told.forEach(ConnectionOutput::onRoom);
    }

    /// The connection has gone, and what it had not taken.
    void onClosed(ConnectionOutput output) {
        awaiting.remove(output);
        incomplete.forEach(block -> block.forget(output));
        release(held.size());
    }

    private void release(int count) {
        for (int i = Math.min(count, held.size()); i > 0; i--) {
            ByteBuf piece = held.removeFirst();
            if (piece.refCnt() == 1) {
                heldBytes -= piece.capacity();
                piece.release();
            } else {
                held.addLast(piece);
            }
        }
    }

    /// Bytes that sockets have not taken, or whose release has not been noticed.
    long heldBytes() {
        return heldBytes;
    }
}
