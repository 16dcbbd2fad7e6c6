package winnow.broker.subscription;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The segments of one loop that leave its memory for the [BacklogFile], and come back to be read.
/// The oldest leave when all loops keep more than half of `subscription.total-buffer`: consumers
/// that keep up need the newest. A segment that has come back is a copy: its place in the file is
/// kept until nobody waits for it, so that the copy can go whenever there is need. Owned by the
/// loop.
final class SpilledSegments {
    /// Bytes that are being written at most, beside one segment. The file's thread should find
    /// work.
    private static final int MAX_LEAVING_BYTES = 1 << 20;

    /// Heap of a segment that has left: the object, its number and its place.
    private static final int LEFT_BYTES = 144;

    /// Heap of a wish for a segment, and of one that waits for it.
    private static final int WISH_BYTES = 160;

    private static final int WAITING_BYTES = 64;

    private final WaitingMessages store;
    private final Loop loop;
    private final BacklogMemory memory;
    private final SegmentPool pool;

    /// Segments to be read or being read, in the order in which they were asked for.
    private final Map<Segment, Wish> wishes = new LinkedHashMap<>();

    /// Copies in memory, the oldest first.
    private final LinkedHashSet<Segment> copies = new LinkedHashSet<>();

    private int leavingBytes;
    private boolean readingScheduled;

    /// Bytes of copies, those included that are being read.
    private long copyBytes;

    /// Of the copies, those that have been there since the last [#trim].
    private int idle;

    private static final class Wish {
        final LinkedHashSet<Subscription> waiting = new LinkedHashSet<>();
        byte @Nullable [] array;
    }

    SpilledSegments(WaitingMessages store, Loop loop, SegmentPool pool) {
        this.store = store;
        this.loop = loop;
        this.memory = store.memory();
        this.pool = pool;
    }

    /// Lets the oldest segments leave if all loops keep too much.
    void spill() {
        BacklogFile file = memory.file();
        while (file != null && leavingBytes < MAX_LEAVING_BYTES && memory.wantsSpilling()) {
            Segment oldest = file.takes(SegmentPool.SEGMENT_BYTES) ? store.takeOldest() : null;
            if (oldest == null) {
                return;
            }
            write(file, oldest);
        }
    }

    private void write(BacklogFile file, Segment segment) {
        int bytes = segment.heldBytes();
        leavingBytes += bytes;
        memory.leave(bytes);
        segment.busy(true);
        file.write(
                segment.written(),
                new BacklogFile.Writing() {
                    @Override
                    public void onWritten(int place, int checksum) {
                        loop.execute(() -> onLeft(file, segment, bytes, place, checksum));
                    }

                    @Override
                    public void onFailed() {
                        loop.execute(() -> onStayed(segment, bytes));
                    }
                });
    }

    private void onLeft(BacklogFile file, Segment segment, int bytes, int place, int checksum) {
        int writtenBytes = segment.usedBytes();
        onWritten(segment, bytes);
        memory.take(LEFT_BYTES);
        if (!store.onLeft(segment, place, checksum)) {
            free(file, place, writtenBytes);
        }
        spill();
    }

    private void onStayed(Segment segment, int bytes) {
        onWritten(segment, bytes);
        store.onStayed(segment);
    }

    private void onWritten(Segment segment, int bytes) {
        segment.busy(false);
        leavingBytes -= bytes;
        memory.stay(bytes);
    }

    private void free(BacklogFile file, int place, int bytes) {
        file.free(place, bytes, () -> memory.give(LEFT_BYTES));
    }

    private BacklogFile file() {
        BacklogFile file = memory.file();
        if (file == null) {
            throw new IllegalStateException("segments have left for no file");
        }
        return file;
    }

    /// Has a segment read that is not in memory.
    ///
    /// @param subscription told by [Subscription#onFetched] when it is there, null for none
    void fetch(Segment segment, @Nullable Subscription subscription) {
        Wish wish = wishes.get(segment);
        if (wish == null) {
            memory.take(WISH_BYTES);
            wish = new Wish();
            wishes.put(segment, wish);
            scheduleReading();
        }
        if (subscription != null && wish.waiting.add(subscription)) {
            memory.take(WAITING_BYTES);
            subscription.awaited(segment);
        }
    }

    /// The subscription does not need the segment any more that it waits for.
    void forget(Subscription subscription, Segment awaited) {
        Wish wish = wishes.get(awaited);
        if (wish != null && wish.waiting.remove(subscription)) {
            memory.give(WAITING_BYTES);
        }
    }

    /// Reads in a task of its own: whoever asks may be reading a copy that has to go for it.
    private void scheduleReading() {
        if (!readingScheduled) {
            readingScheduled = true;
            loop.execute(this::readSome);
        }
    }

    private void readSome() {
        readingScheduled = false;
        for (Map.Entry<Segment, Wish> each : wishes.entrySet()) {
            Wish wish = each.getValue();
            if (wish.array == null && !read(each.getKey(), wish)) {
                return;
            }
        }
    }

    /// @return false if there is no room now
    private boolean read(Segment segment, Wish wish) {
        int bytes = segment.usedBytes();
        int needed = Math.max(bytes, SegmentPool.SEGMENT_BYTES);
        Iterator<Segment> oldest = copies.iterator();
        while (copyBytes > 0 && !memory.takesCopy(needed) && oldest.hasNext()) {
            Segment copy = oldest.next();
            oldest.remove();
            unload(copy);
        }
        if (copyBytes > 0 && !memory.takesCopy(needed)) {
            return false;
        }
        byte[] array = needed > SegmentPool.SEGMENT_BYTES ? pool.allocate(needed) : pool.take();
        copyBytes += array.length;
        memory.addCopy(array.length);
        wish.array = array;
        segment.busy(true);
        file().read(
                        segment.place(),
                        bytes,
                        segment.checksum(),
                        array,
                        new BacklogFile.Reading() {
                            @Override
                            public void onRead() {
                                loop.execute(() -> onFetched(segment, ""));
                            }

                            @Override
                            public void onFailed(String why) {
                                loop.execute(() -> onFetched(segment, why));
                            }
                        });
        return true;
    }

    private void unload(Segment copy) {
        onUnloaded(copy.array());
        store.unload(copy);
    }

    private void onUnloaded(byte[] array) {
        copyBytes -= array.length;
        memory.addCopy(-array.length);
    }

    /// @param failure why it was not read, empty if it was
    private void onFetched(Segment segment, String failure) {
        Wish wish = wishes.remove(segment);
        if (wish == null || wish.array == null) {
            throw new IllegalStateException("a segment was read that nobody has asked for");
        }
        memory.give(WISH_BYTES + (long) WAITING_BYTES * wish.waiting.size());
        segment.busy(false);
        if (failure.isEmpty() && segment.references() > 0) {
            segment.load(wish.array);
            copies.add(segment);
        } else {
            onUnloaded(wish.array);
            pool.give(wish.array);
        }
        if (segment.references() == 0) {
            onUnneeded(segment);
        }
        for (Subscription each : List.copyOf(wish.waiting)) {
            if (failure.isEmpty()) {
                loop.faults().run(each.target(), each::onFetched);
            } else {
                each.onLost(failure);
            }
        }
        if (!wishes.isEmpty()) {
            scheduleReading();
        }
    }

    /// Nobody waits for a segment any more that has left.
    void onUnneeded(Segment segment) {
        if (segment.isBusy()) {
            return;
        }
        Wish wish = wishes.remove(segment);
        if (wish != null) {
            memory.give(WISH_BYTES + (long) WAITING_BYTES * wish.waiting.size());
        }
        if (segment.isInMemory()) {
            copies.remove(segment);
            unload(segment);
        }
        free(file(), segment.place(), segment.usedBytes());
        store.freeLeft(segment);
    }

    /// Lets copies go that were there at the last call; to be called every second or so.
    void trim() {
        List<Segment> old = new ArrayList<>();
        for (Segment copy : copies) {
            if (old.size() == idle) {
                break;
            }
            old.add(copy);
        }
        for (Segment copy : old) {
            copies.remove(copy);
            unload(copy);
        }
        idle = copies.size();
    }
}
