package winnow.broker.subscription;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Messages that wait, one behind the other in an array: each with its number (8 bytes), the bytes
/// of its block (4), the largest number of a property name in it (4), the subscriptions that it
/// waits for (4) and the block. A segment from which most has gone can be moved: the rest is
/// elsewhere then, and it only knows where. A segment of one large message has only the header in
/// its array, and the block where it is.
///
/// A segment may leave for a file ([SpilledSegments]). From then on it counts the references to all
/// its messages together, so that they can go without being read, and has an array only as long as
/// its messages are read. Owned by its loop's [WaitingMessages].
final class Segment {
    /// Bytes in front of a block.
    static final int HEADER_BYTES = 20;

    private static final int BLOCK_BYTES = 8;
    private static final int MAX_NAME_ID = 12;
    private static final int REFERENCES = 16;
    private static final byte[] NONE = {};
    private static final int[] NOTHING_MOVED = {};
    private static final long[] NOWHERE = {};

    /// Place of a segment that is in no file.
    private static final int NO_PLACE = -1;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /// Its number in the loop.
    final int slot;

    private byte[] array;

    /// Array of the blocks, and how far they are behind the offsets of their messages.
    private byte[] blocks;

    private int blockOffset;
    private int usedBytes;
    private int liveBytes;
    private int liveMessages;

    /// Nobody waits for a message in front of this offset.
    private int oldestOffset;

    /// Offsets of messages before they were moved, ascending, and where each is now.
    private int[] movedFrom = NOTHING_MOVED;

    private long[] movedTo = NOWHERE;

    /// References to all messages, of a segment that was moved or has left.
    private long references;

    /// Place in the file, and the checksum of its bytes.
    private int place = NO_PLACE;

    private int checksum;

    /// Number of its oldest message when it left.
    private long oldest;

    /// True if another thread reads or writes its array.
    private boolean busy;

    /// Its neighbours in a [SegmentList].
    @Nullable Segment previous;

    @Nullable Segment next;

    Segment(int slot, byte[] array) {
        this.slot = slot;
        this.array = array;
        this.blocks = array;
        this.blockOffset = HEADER_BYTES;
    }

    /// For one message, whose block is not copied.
    ///
    /// @param blocks is never changed
    /// @param start of the block
    Segment(int slot, byte[] blocks, int start) {
        this.slot = slot;
        this.array = new byte[HEADER_BYTES];
        this.blocks = blocks;
        this.blockOffset = start;
    }

    byte[] array() {
        return array;
    }

    /// Array in which the blocks of its messages are.
    byte[] blocks() {
        return blocks;
    }

    /// True if the block of its message was not copied.
    @SuppressWarnings("ReferenceEquality") // Whether it is the same array.
    boolean holdsInPlace() {
        return blocks != array;
    }

    /// Bytes that its arrays take.
    int heldBytes() {
        return holdsInPlace() ? array.length + blocks.length : array.length;
    }

    /// True if its messages have left, because it was moved or freed.
    boolean isGone() {
        return array.length == 0 && place == NO_PLACE;
    }

    /// True if its messages are in other segments.
    boolean isMoved() {
        return movedFrom.length > 0;
    }

    /// True if it has left for the file.
    boolean hasLeft() {
        return place != NO_PLACE;
    }

    /// True if its messages can be read.
    boolean isInMemory() {
        return array.length > 0;
    }

    /// Bytes of its array that are used.
    int usedBytes() {
        return usedBytes;
    }

    /// Place in the file.
    int place() {
        return place;
    }

    /// Checksum of what is in the file.
    int checksum() {
        return checksum;
    }

    /// True if another thread reads or writes its array, which must not be used otherwise then.
    boolean isBusy() {
        return busy;
    }

    void busy(boolean nowBusy) {
        busy = nowBusy;
    }

    boolean hasRoom(int bytes) {
        return array.length - usedBytes >= bytes;
    }

    /// Bytes of the messages that somebody waits for.
    int liveBytes() {
        return liveBytes;
    }

    /// Messages that somebody waits for.
    int liveMessages() {
        return liveMessages;
    }

    /// True if less than a quarter of its array is needed if so many bytes are.
    boolean isSparse(int neededBytes) {
        return array.length == SegmentPool.SEGMENT_BYTES && neededBytes < array.length / 4;
    }

    /// Appends a message that nobody waits for yet; there is room.
    ///
    /// @return its offset
    int append(long message, byte[] from, int start, int end, int maxNameId) {
        int offset = usedBytes;
        LONG.set(array, offset, message);
        INT.set(array, offset + BLOCK_BYTES, end - start);
        INT.set(array, offset + MAX_NAME_ID, maxNameId);
        INT.set(array, offset + REFERENCES, 0);
        if (!holdsInPlace()) {
            System.arraycopy(from, start, array, offset + HEADER_BYTES, end - start);
        }
        usedBytes += HEADER_BYTES + end - start;
        return offset;
    }

    /// One subscription more waits for the message.
    ///
    /// @return the bytes that are needed by this, 0 if others wait already
    int addReference(int offset) {
        if (hasLeft()) {
            references++;
            return 0;
        }
        int before = (int) INT.get(array, offset + REFERENCES);
        INT.set(array, offset + REFERENCES, before + 1);
        return before == 0 ? enliven(offset) : 0;
    }

    private int enliven(int offset) {
        int bytes = messageBytes(offset);
        liveBytes += bytes;
        liveMessages++;
        oldestOffset = Math.min(oldestOffset, offset);
        return bytes;
    }

    /// One subscription more waits for a message of a segment that was moved.
    void addMovedReference() {
        references++;
    }

    /// Takes references off messages of a segment that was moved or has left.
    ///
    /// @return number of references that remain
    long dropReferences(int count) {
        references -= count;
        assert references >= 0;
        return references;
    }

    /// References to all messages of a segment that was moved or has left.
    long references() {
        return references;
    }

    /// One subscription less waits for the message. Not of a segment that has left.
    ///
    /// @return the bytes that are not needed any more, 0 if others wait
    int dropReference(int offset) {
        int left = (int) INT.get(array, offset + REFERENCES) - 1;
        assert left >= 0;
        INT.set(array, offset + REFERENCES, left);
        if (left > 0) {
            return 0;
        }
        int bytes = messageBytes(offset);
        liveBytes -= bytes;
        liveMessages--;
        return bytes;
    }

    /// Number of the first message that somebody waits for; in a segment to which messages were
    /// moved not always the oldest. The largest long if there is none.
    long oldest() {
        if (hasLeft()) {
            return oldest;
        }
        while (oldestOffset < usedBytes) {
            if ((int) INT.get(array, oldestOffset + REFERENCES) > 0) {
                return (long) LONG.get(array, oldestOffset);
            }
            oldestOffset += messageBytes(oldestOffset);
        }
        return Long.MAX_VALUE;
    }

    /// Bytes of a message with its header.
    int messageBytes(int offset) {
        return HEADER_BYTES + (int) INT.get(array, offset + BLOCK_BYTES);
    }

    /// Mean bytes of the messages that somebody waited for when it left, with their headers.
    int meanLeftBytes() {
        return liveBytes / liveMessages;
    }

    /// Makes `view`, which has the array of this segment's blocks, show a message.
    void show(int offset, WaitingMessage view) {
        int start = offset + blockOffset;
        view.number = (long) LONG.get(array, offset);
        view.start = start;
        view.end = start + (int) INT.get(array, offset + BLOCK_BYTES);
        view.maxNameId = (int) INT.get(array, offset + MAX_NAME_ID);
    }

    /// Offset of the message behind this one before anything was moved.
    int following(int offset) {
        if (!isMoved()) {
            return offset + messageBytes(offset);
        }
        int index = indexOf(offset) + 1;
        return index < movedFrom.length ? movedFrom[index] : 0;
    }

    /// Place where a message of a moved segment is now.
    long movedTo(int offset) {
        return movedTo[indexOf(offset)];
    }

    private int indexOf(int offset) {
        int index = Arrays.binarySearch(movedFrom, offset);
        assert index >= 0;
        return index;
    }

    /// Messages that were moved.
    int movedMessages() {
        return movedFrom.length;
    }

    /// Moves what somebody waits for. To be freed then.
    void moveTo(Destination destination) {
        int[] from = new int[liveMessages];
        long[] to = new long[liveMessages];
        int count = 0;
        for (int offset = 0; offset < usedBytes; offset += messageBytes(offset)) {
            int waiting = (int) INT.get(array, offset + REFERENCES);
            if (waiting > 0) {
                references += waiting;
                from[count] = offset;
                to[count++] = destination.move(array, offset, messageBytes(offset));
            }
        }
        movedFrom = from;
        movedTo = to;
    }

    /// Destination of messages that are moved.
    interface Destination {
        /// @return where the message is now
        long move(byte[] array, int offset, int bytes);
    }

    /// Takes a message of another segment with its references; there is room.
    ///
    /// @return its offset
    int take(byte[] from, int fromOffset, int bytes) {
        int offset = usedBytes;
        System.arraycopy(from, fromOffset, array, offset, bytes);
        usedBytes += bytes;
        enliven(offset);
        return offset;
    }

    /// Bytes of it that are to be written to the file.
    BacklogFile.Blocks written() {
        return holdsInPlace()
                ? new BacklogFile.Blocks(
                        ByteBuffer.wrap(array),
                        ByteBuffer.wrap(blocks, blockOffset, usedBytes - HEADER_BYTES))
                : new BacklogFile.Blocks(
                        ByteBuffer.wrap(array, 0, usedBytes), ByteBuffer.wrap(NONE));
    }

    /// It is in the file from now on. Its arrays are to be let go by [#unload].
    void leave(int newPlace, int newChecksum) {
        oldest = oldest();
        references = 0;
        for (int offset = 0; offset < usedBytes; offset += messageBytes(offset)) {
            references += (int) INT.get(array, offset + REFERENCES);
        }
        place = newPlace;
        checksum = newChecksum;
    }

    /// It can be read again.
    ///
    /// @param read has what is in the file
    void load(byte[] read) {
        array = read;
        blocks = read;
        blockOffset = HEADER_BYTES;
    }

    /// Lets the arrays of a segment go that is in the file.
    void unload() {
        array = NONE;
        blocks = NONE;
    }

    /// Lets its arrays go, and its place in the file.
    void free() {
        unload();
        place = NO_PLACE;
        usedBytes = 0;
        oldestOffset = 0;
        liveBytes = 0;
    }
}
