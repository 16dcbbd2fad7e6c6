package winnow.broker.shard;

import java.util.Arrays;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// Messages that wait in a subscription: those that any consumer may have, and parked ones, whose
/// group belongs to a consumer without credit or has to wait ([HeldGroups]), or which are dead
/// letters without a place ([Graves]). A bit for each message in one of two sets, so that what is
/// parked costs others nothing. Owned by a shard.
final class WaitingList {
    /// Multiple of what is parked, at which others forget what is parked no more.
    private static final int STALE_TIMES = 4;

    /// Number of further messages that is never too large.
    private static final int FEW = 1024;

    private final Availability available;
    private final Availability parked;

    /// @param priorities of the destination's messages
    WaitingList(Priorities priorities) {
        this.available = new Availability(priorities);
        this.parked = new Availability(priorities);
    }

    /// Messages that any consumer may have.
    Availability available() {
        return available;
    }

    /// Messages, parked ones included.
    int count() {
        return available.count() + parked.count();
    }

    /// True if messages are parked.
    boolean hasParked() {
        return parked.count() > 0;
    }

    /// Heap of its bits.
    long heapBytes() {
        return available.heapBytes() + parked.heapBytes();
    }

    boolean contains(long sequence) {
        return available.contains(sequence) || parked.contains(sequence);
    }

    boolean isParked(long sequence) {
        return parked.contains(sequence);
    }

    /// @return whether it was there
    boolean remove(long sequence) {
        return available.remove(sequence) || parked.remove(sequence);
    }

    /// One that any consumer might have had waits for its group.
    void park(long sequence) {
        int priority = available.take(sequence);
        if (priority >= 0) {
            parked.add(sequence, priority);
        }
    }

    /// One that has come back waits for its group.
    void addParked(long sequence, int priority) {
        parked.add(sequence, priority);
    }

    /// Any consumer may have those of `which` that are parked.
    ///
    /// @return which that are
    Roaring64Bitmap unpark(Roaring64Bitmap which) {
        return available.takeFrom(parked, which);
    }

    /// Forgets those in `known` that are not parked any more.
    void retainParked(Availability known) {
        known.retain(parked);
    }

    /// The same if these are most of many. To be called whenever `known` has become larger.
    void forgetStale(Availability known) {
        if (hasMostlyStale(known.count())) {
            known.retain(parked);
        }
    }

    /// The same.
    void forgetStale(SequenceSet known) {
        if (hasMostlyStale(known.count())) {
            known.retain(parked.all());
        }
    }

    private boolean hasMostlyStale(long count) {
        return count > FEW + (long) STALE_TIMES * parked.count();
    }

    /// All of them, without their priorities. A copy.
    Roaring64Bitmap all() {
        Roaring64Bitmap all = available.all();
        all.or(parked.all());
        return all;
    }

    /// The lowest sequences of any priority, ascending, as many as are wanted.
    long[] oldest(int limit) {
        long[] free = available.oldest(limit);
        if (!hasParked()) {
            return free;
        }
        long[] held = parked.oldest(limit);
        long[] both = Arrays.copyOf(free, free.length + held.length);
        System.arraycopy(held, 0, both, free.length, held.length);
        Arrays.sort(both);
        return Arrays.copyOf(both, Math.min(limit, both.length));
    }

    /// Goes through all in the order of their delivery.
    ///
    /// @param below it stops before this sequence
    Availability.Walk walk(long below) {
        return new Availability.Walk(below, available, parked);
    }

    void clear() {
        available.clear();
        parked.clear();
    }
}
