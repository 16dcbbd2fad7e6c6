package winnow.broker.subscription;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import winnow.wire.FrameSplitter;

/// The messages that wait for credit of the subscriptions of one event loop, each kept once in a
/// [Segment] however many subscriptions it waits for. A message is found by its position: the
/// segment's slot in the upper 32 bits, the offset within it in bits 16 to 31.
///
/// A segment is freed when nobody waits for its messages any more. So that a few messages that wait
/// long do not keep many segments, those of segments that are less than a quarter full are moved
/// together once the segments take more than twice the bytes of their messages: what waits takes at
/// most about four times its bytes, and a little. Owned by the loop.
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

    /// What a moved segment takes, and what each of its messages does.
    private static final int MOVED_SEGMENT_BYTES = 128;

    private static final int MOVED_MESSAGE_BYTES = 12;

    /// What a subscription takes that waits for memory, and how many are told at once.
    private static final int AWAITING_BYTES = 64;

    private static final int TOLD_AT_ONCE = 1000;

    private static final byte[] NONE = {};

    /// No position of a message.
    private static final long NOWHERE = -1;

    private final Loop loop;
    private final BacklogMemory memory;
    private final SegmentPool pool;
    private final MessageTimes times = new MessageTimes();
    private final WaitingMessage view = new WaitingMessage();
    private final LinkedHashSet<Subscription> awaiting = new LinkedHashSet<>();
    private @Nullable RecentMessages recent;

    /// Where the messages are that come again, by number, each with a reference of this class.
    private final Map<Long, Long> expected = new HashMap<>();

    private @Nullable Segment[] segments = new @Nullable Segment[16];
    private int[] freeSlots = new int[16];
    private int freeSlotCount;
    private int slotCount;

    /// Where messages are added, and where they are moved to.
    private @Nullable Segment newest;

    private @Nullable Segment moved;

    /// Where the message was found that was looked for last, null once one has gone.
    private @Nullable Segment located;

    /// Whose array the view has.
    private @Nullable Segment shown;

    private long locatedPosition;
    private int locatedOffset;

    private long segmentBytes;
    private long liveBytes;
    private long copies;
    private int lookedAt;

    public WaitingMessages(Loop loop, BacklogMemory memory) {
        this.loop = loop;
        this.memory = memory;
        this.pool = new SegmentPool(memory);
    }

    /// When the loop's messages were delivered or began to wait.
    public MessageTimes times() {
        return times;
    }

    /// How many copies wait; a message that two subscriptions wait for counts as two.
    public long copies() {
        return copies;
    }

    /// How long the oldest message has waited, 0 if none waits. Looks at all segments.
    public long oldestAgeNanos(long nowNanos) {
        long oldest = Long.MAX_VALUE;
        for (int i = 0; i < slotCount; i++) {
            Segment segment = segments[i];
            if (segment != null && !segment.isGone()) {
                oldest = Math.min(oldest, segment.oldest());
            }
        }
        return oldest == Long.MAX_VALUE ? 0 : times.ageNanos(oldest, nowNanos);
    }

    /// What is charged for them.
    BacklogMemory memory() {
        return memory;
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
            return added(new Segment(newSlot(), array, start));
        }
        if (bytes > OWN_SEGMENT_BYTES) {
            return added(new Segment(newSlot(), pool.allocate(bytes)));
        }
        Segment segment = newest;
        if (segment == null || !segment.hasRoom(bytes)) {
            moveSparse();
            segment = added(new Segment(newSlot(), pool.take()));
            newest = segment;
        }
        return segment;
    }

    private static boolean staysInPlace(byte[] array, int blockBytes) {
        return blockBytes > FrameSplitter.SCRATCH_BYTES
                && array.length - blockBytes <= blockBytes / UNNEEDED_PART;
    }

    private Segment added(Segment segment) {
        segmentBytes += segment.heldBytes();
        segments[segment.slot] = segment;
        return segment;
    }

    private int newSlot() {
        int slot = freeSlotCount > 0 ? freeSlots[--freeSlotCount] : slotCount++;
        if (slot == segments.length) {
            segments = Arrays.copyOf(segments, 2 * slot);
        }
        return slot;
    }

    private void freeSlot(Segment segment) {
        located = null;
        segments[segment.slot] = null;
        if (freeSlotCount == freeSlots.length) {
            freeSlots = Arrays.copyOf(freeSlots, 2 * freeSlotCount);
        }
        freeSlots[freeSlotCount++] = segment.slot;
    }

    private Segment at(long position) {
        Segment segment = segments[slot(position)];
        if (segment == null) {
            throw new IllegalStateException("no segment at " + Long.toHexString(position));
        }
        return segment;
    }

    /// Finds out where a message is now.
    private Segment locate(long position) {
        Segment known = located;
        if (known != null && position == locatedPosition) {
            return known;
        }
        long where = position;
        Segment segment = at(where);
        while (segment.isGone()) {
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

    /// A message, in a view that the next call uses again.
    WaitingMessage show(long position) {
        Segment segment = locate(position);
        if (shown != segment) {
            shown = segment;
            view.array = segment.blocks();
        }
        segment.show(locatedOffset, view);
        return view;
    }

    /// Bytes of a message's block.
    int blockBytes(long position) {
        Segment segment = locate(position);
        return segment.messageBytes(locatedOffset) - Segment.HEADER_BYTES;
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

    private void drop(long position) {
        Segment segment = locate(position);
        int bytes = segment.dropReference(locatedOffset);
        if (bytes == 0) {
            return;
        }
        boolean wasSparse = segment.isSparse(segment.liveBytes() + bytes);
        liveBytes -= bytes;
        forgetMoved(position, segment);
        if (segment.liveMessages() == 0) {
            free(segment);
        } else if (!wasSparse && isSparse(segment)) {
            moveSparse();
        }
    }

    /// A message has gone: so have the ways that led from `position` to its last segment.
    private void forgetMoved(long position, Segment last) {
        long where = position;
        Segment segment = at(where);
        while (segment != last) {
            where = segment.movedTo(offset(where));
            int messages = segment.movedMessages();
            segment.forgetMoved();
            if (segment.liveMessages() == 0) {
                memory.give(movedBytes(messages));
                freeSlot(segment);
            }
            segment = at(where);
        }
    }

    private static long movedBytes(int messages) {
        return MOVED_SEGMENT_BYTES + (long) MOVED_MESSAGE_BYTES * messages;
    }

    private void free(Segment segment) {
        if (segment == newest) {
            newest = null;
        }
        if (segment == moved) {
            moved = null;
        }
        freeSlot(segment);
        freeArray(segment);
    }

    private void freeArray(Segment segment) {
        located = null;
        shown = null;
        view.array = NONE;
        byte[] array = segment.array();
        int bytes = segment.heldBytes();
        boolean pooled = !segment.holdsInPlace();
        segmentBytes -= bytes;
        segment.free();
        if (pooled) {
            pool.give(array);
        } else {
            memory.give(bytes);
        }
    }

    /// Moves the messages of some sparse segments together if segments take too much.
    private void moveSparse() {
        int moves = 0;
        for (int i = 0; i < LOOKED_AT && moves < MOVED_AT_ONCE && takesTooMuch(); i++) {
            lookedAt = lookedAt + 1 < slotCount ? lookedAt + 1 : 0;
            Segment segment = segments[lookedAt];
            if (segment != null && segment != newest && segment != moved && isSparse(segment)) {
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
        segment.moveTo(this::moveMessage);
        freeArray(segment);
    }

    private long moveMessage(byte[] array, int offset, int bytes) {
        Segment to = moved;
        if (to == null || !to.hasRoom(bytes)) {
            to = added(new Segment(newSlot(), pool.take()));
            moved = to;
        }
        return position(to.slot, to.take(array, offset, bytes));
    }

    /// Tells the subscription once when there is memory again, perhaps at once.
    void await(Subscription subscription) {
        if (awaiting.add(subscription)) {
            memory.take(AWAITING_BYTES);
            memory.await(this);
        }
    }

    void forget(Subscription subscription) {
        if (awaiting.remove(subscription)) {
            memory.give(AWAITING_BYTES);
        }
    }

    /// There is memory again. Any thread.
    void onMemory() {
        loop.execute(this::tell);
    }

    private void tell() {
        for (int told = 0; told < TOLD_AT_ONCE && !awaiting.isEmpty(); told++) {
            if (memory.exhausted()) {
                break;
            }
            Subscription subscription = awaiting.removeFirst();
            memory.give(AWAITING_BYTES);
            loop.faults().run(subscription.target(), subscription::onMemory);
        }
        if (!awaiting.isEmpty()) {
            memory.await(this);
        }
    }

    /// Lets go arrays that have not been used for a while; to be called every second or so.
    public void trim() {
        pool.trim();
    }
}
