package winnow.broker.subscription;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.wire.FrameSplitter;

/// The messages that wait for credit of the subscriptions of one event loop, each kept once in a
/// [Segment] however many subscriptions it waits for. A message is found by its position: the
/// segment's slot in the upper 32 bits, the offset within it in bits 16 to 31.
///
/// A segment is freed when nobody waits for its messages any more. So that a few messages that wait
/// long do not keep many segments, those of segments that are less than a quarter full are moved
/// together once the segments take more than twice the bytes of their messages: what waits takes at
/// most about four times its bytes, and a little. The oldest segments leave for a file when all
/// loops keep too much ([SpilledSegments]). Owned by the loop.
public final class WaitingMessages {
    /// Messages of more bytes have a segment of their own.
    private static final int OWN_SEGMENT_BYTES = SegmentPool.SEGMENT_BYTES / 4;

    /// Part of its block that the array of a large message may have more than that to be kept.
    private static final int UNNEEDED_PART = 8;

    /// Bytes of segments above twice their messages' bytes that need no action.
    private static final long SLACK_BYTES = 4L * SegmentPool.SEGMENT_BYTES;

    /// Segments looked at, and moved at most, whenever there is one more or a sparse one more.
    private static final int LOOKED_AT = 64;

    private static final int MOVED_AT_ONCE = 4;

    /// Bytes that a moved segment takes, and those that each of its messages takes.
    private static final int MOVED_SEGMENT_BYTES = 128;

    private static final int MOVED_MESSAGE_BYTES = 12;

    private static final byte[] NONE = {};

    /// No position of a message.
    private static final long NOWHERE = -1;

    private final BacklogMemory memory;
    private final SegmentPool pool;
    private final MessageTimes times = new MessageTimes();
    private final WaitingMessage view = new WaitingMessage();
    private final WaitingForMemory awaiting;
    private @Nullable RecentMessages recent;

    /// Positions of the messages that come again, by number, each with a reference of this class.
    private final Map<Long, Long> expected = new HashMap<>();

    private final SegmentSlots slots = new SegmentSlots();

    /// Segments in memory that are on no way to the file, the oldest first.
    private final SegmentList resident = new SegmentList();

    private final SpilledSegments spilled;

    /// Segments that messages are added to, and that they are moved to.
    private @Nullable Segment newest;

    private @Nullable Segment moved;

    /// Segment with the message that was looked for last, null once one has gone.
    private @Nullable Segment located;

    /// Segment whose array the view has.
    private @Nullable Segment shown;

    private long locatedPosition;
    private int locatedOffset;

    private long segmentBytes;
    private long liveBytes;
    private long copies;

    public WaitingMessages(Loop loop, BacklogMemory memory) {
        this.memory = memory;
        this.awaiting = new WaitingForMemory(loop, memory);
        this.pool = new SegmentPool(memory);
        this.spilled = new SpilledSegments(this, loop, pool);
    }

    /// When the loop's messages were delivered or began to wait.
    public MessageTimes times() {
        return times;
    }

    /// Number of copies that wait; a message that two subscriptions wait for counts as two.
    public long copies() {
        return copies;
    }

    /// Time for which the oldest message has waited, 0 if none waits. Looks at all segments.
    public long oldestAgeNanos(long nowNanos) {
        long[] oldest = {Long.MAX_VALUE};
        slots.forEach(segment -> oldest[0] = Math.min(oldest[0], segment.oldest()));
        return oldest[0] == Long.MAX_VALUE ? 0 : times.ageNanos(oldest[0], nowNanos);
    }

    /// Memory that is charged for them.
    BacklogMemory memory() {
        return memory;
    }

    /// Subscriptions that are told when there is memory again.
    WaitingForMemory awaiting() {
        return awaiting;
    }

    /// Segments that are not in memory.
    SpilledSegments spilled() {
        return spilled;
    }

    static int slot(long position) {
        return (int) (position >>> 32);
    }

    static int offset(long position) {
        return (int) position >>> 16;
    }

    static long position(int slot, int offset) {
        return (long) slot << 32 | (long) offset << 16;
    }

    /// Keeps a message for one subscription more.
    ///
    /// @param message its number ([Loop#numberMessages])
    /// @param array holds its block from `start` to `end`; borrowed, but for a block of more than
    ///   [FrameSplitter#SCRATCH_BYTES]: that must never be changed, and is not copied
    /// @return its position
    long keep(long message, byte[] array, int start, int end, int maxNameId) {
        if (!expected.isEmpty() && expected.containsKey(message)) {
            long first = keepExpected(message, array, start, end, maxNameId);
            Segment now = locate(first);
            liveBytes += now.addReference(locatedOffset);
            forEachMoved(first, now, Segment::addMovedReference);
            copies++;
            return first;
        }
        RecentMessages known = recent;
        if (known == null) {
            known = new RecentMessages();
            recent = known;
        }
        Segment segment = known.segment(message);
        int offset;
        if (segment == null) {
            segment = segmentFor(array, start, end);
            offset = segment.append(message, array, start, end, maxNameId);
            known.put(message, segment, offset);
        } else {
            offset = known.offset(message);
        }
        liveBytes += segment.addReference(offset);
        copies++;
        return position(segment.slot, offset);
    }

    /// All references are to the position that it had at first, wherever it is moved.
    private long keepExpected(long message, byte[] array, int start, int end, int maxNameId) {
        long position = expected.getOrDefault(message, NOWHERE);
        if (position == NOWHERE) {
            Segment segment = segmentFor(array, start, end);
            int offset = segment.append(message, array, start, end, maxNameId);
            liveBytes += segment.addReference(offset);
            position = position(segment.slot, offset);
            expected.put(message, position);
        }
        return position;
    }

    /// A message comes again: once it is kept, it stays until [#endExpected].
    void expect(long message) {
        expected.put(message, NOWHERE);
    }

    /// A message does not come again.
    void endExpected(long message) {
        Long position = expected.remove(message);
        if (position != null && position != NOWHERE) {
            drop(position);
        }
    }

    private Segment segmentFor(byte[] array, int start, int end) {
        int bytes = Segment.HEADER_BYTES + end - start;
        if (staysInPlace(array, end - start)) {
            memory.take(Segment.HEADER_BYTES + array.length);
            return added(new Segment(slots.take(), array, start));
        }
        if (bytes > OWN_SEGMENT_BYTES) {
            return added(new Segment(slots.take(), pool.allocate(bytes)));
        }
        Segment segment = newest;
        if (segment == null || !segment.hasRoom(bytes)) {
            moveSparse();
            segment = added(new Segment(slots.take(), pool.take()));
            newest = segment;
        }
        return segment;
    }

    private static boolean staysInPlace(byte[] array, int blockBytes) {
        return blockBytes > FrameSplitter.SCRATCH_BYTES
                && array.length - blockBytes <= blockBytes / UNNEEDED_PART;
    }

    private Segment added(Segment segment) {
        spilled.spill();
        segmentBytes += segment.heldBytes();
        slots.put(segment);
        resident.add(segment);
        return segment;
    }

    private Segment at(long position) {
        return slots.get(slot(position));
    }

    /// Finds out where a message is now.
    private Segment locate(long position) {
        Segment known = located;
        if (known != null && position == locatedPosition) {
            return known;
        }
        long where = position;
        Segment segment = at(where);
        while (segment.isMoved()) {
            where = segment.movedTo(offset(where));
            segment = at(where);
        }
        if (known != segment) {
            // A reference that is written costs a barrier, and messages of a segment come together.
            located = segment;
        }
        locatedPosition = position;
        locatedOffset = offset(where);
        return segment;
    }

    /// A message, in a view that the next call uses again; null if it is not in memory.
    @Nullable WaitingMessage show(long position) {
        Segment segment = locate(position);
        if (!segment.isInMemory()) {
            return null;
        }
        if (shown != segment) {
            shown = segment;
            view.array = segment.blocks();
        }
        segment.show(locatedOffset, view);
        return view;
    }

    /// Has a message read that is not in memory.
    ///
    /// @param subscription told by [Subscription#onFetched], null for none
    void fetch(long position, @Nullable Subscription subscription) {
        Segment segment = locate(position);
        if (!segment.isInMemory()) {
            spilled.fetch(segment, subscription);
        }
    }

    /// Bytes of a message's block; where it is not in memory, the mean of those that left with it.
    int blockBytes(long position) {
        Segment segment = locate(position);
        boolean known = segment.isInMemory();
        int bytes = known ? segment.messageBytes(locatedOffset) : segment.meanLeftBytes();
        return bytes - Segment.HEADER_BYTES;
    }

    /// Position of the message that was kept next to this one.
    long following(long position) {
        int slot = slot(position);
        Segment segment = locate(position);
        Segment first = segment.slot == slot ? segment : at(position);
        return position(slot, first.following(offset(position)));
    }

    /// One subscription less waits for the message.
    void release(long position) {
        copies--;
        drop(position);
    }

    /// One subscription less waits for so many messages that were kept one behind the other. None
    /// is read.
    void release(long position, int count) {
        Segment segment = at(position);
        if (segment.hasLeft()) {
            copies -= count;
            dropLeft(segment, count);
            return;
        }
        long where = position;
        for (int left = count; left > 0; left--) {
            long next = left > 1 ? following(where) : where;
            release(where);
            where = next;
        }
    }

    private void drop(long position) {
        Segment segment = locate(position);
        int offset = locatedOffset;
        forEachMoved(position, segment, this::dropMoved);
        if (segment.hasLeft()) {
            dropLeft(segment, 1);
            return;
        }
        int bytes = segment.dropReference(offset);
        if (bytes == 0) {
            return;
        }
        boolean wasSparse = segment.isSparse(segment.liveBytes() + bytes);
        liveBytes -= bytes;
        if (segment.liveMessages() == 0) {
            freeUnlessBusy(segment);
        } else if (!wasSparse && isSparse(segment)) {
            moveSparse();
        }
    }

    private void dropLeft(Segment segment, int count) {
        if (segment.dropReferences(count) == 0) {
            spilled.onUnneeded(segment);
        }
    }

    /// The tables that lead from `position` to its last segment.
    private void forEachMoved(long position, Segment last, Consumer<Segment> action) {
        long where = position;
        Segment segment = at(where);
        while (segment != last) {
            where = segment.movedTo(offset(where));
            action.accept(segment);
            segment = at(where);
        }
    }

    private void dropMoved(Segment table) {
        if (table.dropReferences(1) == 0) {
            located = null;
            memory.give(movedBytes(table.movedMessages()));
            slots.give(table);
        }
    }

    private static long movedBytes(int messages) {
        return MOVED_SEGMENT_BYTES + (long) MOVED_MESSAGE_BYTES * messages;
    }

    /// Frees a segment that nobody waits for; where it is being written, when it has been.
    private void freeUnlessBusy(Segment segment) {
        if (!segment.isBusy()) {
            resident.remove(segment);
            free(segment);
        }
    }

    private void free(Segment segment) {
        if (segment == newest) {
            newest = null;
        }
        if (segment == moved) {
            moved = null;
        }
        slots.give(segment);
        segmentBytes -= segment.heldBytes();
        freeArray(segment);
        segment.free();
    }

    /// Lets the arrays of a segment go.
    private void freeArray(Segment segment) {
        forgetShown();
        if (segment.holdsInPlace()) {
            memory.give(segment.heldBytes());
        } else {
            pool.give(segment.array());
        }
    }

    private void forgetShown() {
        located = null;
        shown = null;
        view.array = NONE;
    }

    /// Takes the oldest segment out that may leave for the file: not one to which messages are
    /// added. It goes back by [#onStayed] or [#onLeft].
    ///
    /// @return null if there is none
    @Nullable Segment takeOldest() {
        Segment found = resident.first();
        while (found != null && (found == newest || found == moved)) {
            found = found.next;
        }
        if (found != null) {
            resident.remove(found);
        }
        return found;
    }

    /// A segment has not been written.
    void onStayed(Segment segment) {
        resident.add(segment);
        if (segment.liveMessages() == 0) {
            freeUnlessBusy(segment);
        }
    }

    /// A segment has been written, and leaves unless nobody waits for it any more.
    ///
    /// @return whether it has left
    boolean onLeft(Segment segment, int place, int checksum) {
        if (segment.liveMessages() == 0) {
            free(segment);
            return false;
        }
        segmentBytes -= segment.heldBytes();
        liveBytes -= segment.liveBytes();
        segment.leave(place, checksum);
        unload(segment);
        return true;
    }

    /// Lets the arrays of a segment go that has left.
    void unload(Segment segment) {
        freeArray(segment);
        segment.unload();
    }

    /// Nobody waits for a segment any more that has left and is not in memory.
    void freeLeft(Segment segment) {
        located = null;
        slots.give(segment);
        segment.free();
    }

    /// Moves the messages of some sparse segments together if segments take too much.
    private void moveSparse() {
        int moves = 0;
        for (int i = 0; i < LOOKED_AT && moves < MOVED_AT_ONCE && takesTooMuch(); i++) {
            Segment segment = resident.turn();
            if (segment == null) {
                break;
            }
            if (segment != newest && segment != moved && isSparse(segment)) {
                move(segment);
                moves++;
            }
        }
    }

    private static boolean isSparse(Segment segment) {
        return segment.isSparse(segment.liveBytes());
    }

    private boolean takesTooMuch() {
        return segmentBytes > 2 * liveBytes + SLACK_BYTES;
    }

    private void move(Segment segment) {
        memory.take(movedBytes(segment.liveMessages()));
        resident.remove(segment);
        segment.moveTo(this::moveMessage);
        segmentBytes -= segment.heldBytes();
        freeArray(segment);
        segment.free();
    }

    private long moveMessage(byte[] array, int offset, int bytes) {
        Segment to = moved;
        if (to == null || !to.hasRoom(bytes)) {
            to = added(new Segment(slots.take(), pool.take()));
            moved = to;
        }
        return position(to.slot, to.take(array, offset, bytes));
    }

    /// Has the oldest segments leave if all loops keep too much; to be called now and then, because
    /// it may be others that keep more and more.
    public void spill() {
        spilled.spill();
    }

    /// Lets go arrays that have not been used for a while; to be called every second or so.
    public void trim() {
        spilled.trim();
        pool.trim();
    }
}
