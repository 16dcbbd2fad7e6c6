package winnow.broker.shard;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.PeekableLongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// A compressed set of sequences. Owned by a shard.
///
/// Its lowest and its highest sequences are runs without gaps, beside a bitmap of what is between
/// them: a set with one gap needs none. Messages that come and go in their order change only the
/// ends of these runs, and move between them and the bitmap by thousands. One by one each would
/// cost the bitmap 0.1 µs, moved together it is 1 ns.
final class SequenceSet {
    /// No sequence.
    static final long NONE = Long.MAX_VALUE;

    private static final Roaring64Bitmap NO_BITS = new Roaring64Bitmap();

    /// So many move from the last run to the bitmap, or from there to the first run, at most.
    private static final int MOVED_TOGETHER = 4096;

    /// A container of the bitmap has so many sequences, and takes so many bytes at most.
    private static final int CONTAINER_BITS = 16;

    private static final long CONTAINER_BYTES = 1 << (CONTAINER_BITS - 3);

    /// Runs that are shorter are left in the bitmap.
    private static final int SHORTEST_FIRST_RUN = 64;

    /// All of them are above the first run and below the last one. Null while there are none.
    private @Nullable Roaring64Bitmap bits;

    /// The first run, without its end. It is empty as a rule while messages come and none go.
    private long low;

    private long lowEnd;

    /// The last run, without its end; what is added next is above it as a rule.
    private long high;

    private long highEnd;

    /// Of the bitmap and the runs.
    private long count;

    /// Runs that begin in the bitmap below this are too short for a first run.
    private long noRunBelow;

    SequenceSet() {}

    /// @param bits belong to the set from now on
    SequenceSet(Roaring64Bitmap bits) {
        this.bits = bits;
        count = bits.getLongCardinality();
        high = count == 0 ? 0 : bits.last() + 1;
        highEnd = high;
        unjoin(bits);
    }

    private Roaring64Bitmap bits() {
        Roaring64Bitmap known = bits;
        if (known == null) {
            known = new Roaring64Bitmap();
            bits = known;
        }
        return known;
    }

    long count() {
        return count;
    }

    /// True if it has or had others than its first and last run.
    boolean hasBitmap() {
        return bits != null;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// Heap that its bitmap takes at most, 0 while there is none. Costs next to nothing.
    long bitmapBytes() {
        if (bits == null) {
            return 0;
        }
        long between = count - (lowEnd - low) - (highEnd - high);
        long containers = Math.min(between, ((high - lowEnd) >> CONTAINER_BITS) + 1);
        return HeapCost.BITMAP
                + HeapCost.CONTAINER * Math.max(0, containers - 1)
                + Math.min(CONTAINER_BYTES * containers, Short.BYTES * between);
    }

    boolean contains(long sequence) {
        return inLow(sequence)
                || inHigh(sequence)
                || (hasBits() && sequence < high && bits().contains(sequence));
    }

    private boolean inLow(long sequence) {
        return sequence >= low && sequence < lowEnd;
    }

    private boolean inHigh(long sequence) {
        return sequence >= high && sequence < highEnd;
    }

    private boolean hasBits() {
        return count > (lowEnd - low) + (highEnd - high);
    }

    /// @return whether it was not there
    boolean add(long sequence) {
        if (sequence == highEnd) {
            highEnd++;
            if (highEnd - high >= 2 * MOVED_TOGETHER && hasBits()) {
                long next = high + MOVED_TOGETHER;
                move(high, next);
                high = next;
            }
        } else if (sequence > highEnd) {
            if (low == lowEnd && !hasBits()) {
                low = high;
                lowEnd = highEnd;
            } else {
                move(high, highEnd);
            }
            high = sequence;
            highEnd = sequence + 1;
        } else if (contains(sequence)) {
            return false;
        } else {
            addBelow(sequence);
        }
        count++;
        return true;
    }

    /// Adds one that is below the last run and not there.
    private void addBelow(long sequence) {
        if (sequence < lowEnd) {
            move(low, lowEnd);
            low = 0;
            lowEnd = 0;
        }
        bits().addLong(sequence);
        noRunBelow = 0;
    }

    /// Moves a run to the bitmap or back.
    private void move(long from, long end) {
        if (end - from == 1) {
            bits().flip(from);
        } else if (from < end) {
            bits().flip(from, end);
        }
    }

    /// @return whether it was there
    boolean remove(long sequence) {
        if (inLow(sequence)) {
            removeFromLow(sequence);
        } else if (inHigh(sequence)) {
            if (low == lowEnd && !hasBits()) {
                low = high;
                lowEnd = sequence;
            } else {
                move(high, sequence);
            }
            high = sequence + 1;
        } else {
            if (!contains(sequence)) {
                return false;
            }
            bits().removeLong(sequence);
        }
        count--;
        return true;
    }

    private void removeFromLow(long sequence) {
        if (sequence == low) {
            low++;
        } else if (lowEnd == high && !hasBits()) {
            lowEnd = sequence;
            high = sequence + 1;
        } else {
            move(sequence + 1, lowEnd);
            lowEnd = sequence;
        }
    }

    /// Takes all below `end` out.
    void removeBelow(long end) {
        while (count > 0 && first() < end) {
            remove(first());
        }
    }

    /// Takes all from `first` to below `end` out.
    void remove(long first, long end) {
        if (first >= end) {
            return;
        }
        if ((low < first && first < lowEnd) || (high < first && first < highEnd)) {
            Roaring64Bitmap _ = take(range(first, end));
            return;
        }
        boolean bitsToo = hasBits();
        if (first <= low) {
            long next = Math.clamp(end, low, lowEnd);
            count -= next - low;
            low = next;
        }
        if (first <= high) {
            long next = Math.clamp(end, high, highEnd);
            count -= next - high;
            high = next;
        }
        if (bitsToo) {
            bits().andNot(range(first, end));
            count = lowEnd - low + highEnd - high + bits().getLongCardinality();
        }
    }

    private static Roaring64Bitmap range(long first, long end) {
        Roaring64Bitmap range = new Roaring64Bitmap();
        range.addRange(first, end);
        return range;
    }

    /// Takes those out of `wanted` that it has, together: for many this costs less than [#remove].
    Roaring64Bitmap take(Roaring64Bitmap wanted) {
        Roaring64Bitmap all = joined();
        Roaring64Bitmap taken = wanted.clone();
        taken.and(all);
        all.andNot(taken);
        count -= taken.getLongCardinality();
        unjoin(all);
        return taken;
    }

    /// Adds all of `more`, together.
    void addAll(Roaring64Bitmap more) {
        if (more.isEmpty()) {
            return;
        }
        Roaring64Bitmap all = joined();
        all.or(more);
        highEnd = Math.max(highEnd, more.last() + 1);
        high = highEnd;
        count = all.getLongCardinality();
        unjoin(all);
    }

    /// Forgets those that `others` do not have.
    void retain(Roaring64Bitmap others) {
        Roaring64Bitmap all = joined();
        all.and(others);
        count = all.getLongCardinality();
        unjoin(all);
    }

    /// Needs no bitmap where all that is in it is one run.
    private void unjoin(Roaring64Bitmap all) {
        if (count == 0) {
            bits = null;
        } else if (all.last() - all.first() + 1 == count) {
            high = all.first();
            highEnd = high + count;
            bits = null;
        }
    }

    /// The bitmap, with all that is in the runs, which are empty then.
    private Roaring64Bitmap joined() {
        move(low, lowEnd);
        move(high, highEnd);
        low = 0;
        lowEnd = 0;
        high = highEnd;
        noRunBelow = 0;
        return bits();
    }

    /// The lowest; there is one. Not to be called while somebody goes through the set.
    long first() {
        if (low == lowEnd && hasBits()) {
            return firstOfBits();
        }
        return low < lowEnd ? low : high;
    }

    /// Makes a first run of what the bitmap begins with, if that is long enough.
    private long firstOfBits() {
        long first = bits().first();
        if (first >= noRunBelow) {
            int length = runLength(first);
            if (length == 0) {
                noRunBelow = first + SHORTEST_FIRST_RUN;
            } else {
                move(first, first + length);
                low = first;
                lowEnd = first + length;
            }
        }
        return first;
    }

    /// A length of the run that the bitmap begins with.
    ///
    /// @return 0 if it is too short
    private int runLength(long first) {
        int length = 0;
        int longer = SHORTEST_FIRST_RUN;
        while (longer <= MOVED_TOGETHER && bits().rankLong(first + longer - 1) == longer) {
            length = longer;
            longer *= 2;
        }
        return length;
    }

    /// Ascending.
    PeekableLongIterator iterator() {
        return iteratorFrom(0);
    }

    /// Ascending, from `first` on.
    PeekableLongIterator iteratorFrom(long first) {
        Roaring64Bitmap between = hasBits() ? bits() : NO_BITS;
        return new Ascending(
                Math.max(first, low), between.getLongIteratorFrom(first), Math.max(first, high));
    }

    /// The lowest that is not below `from`, [#NONE] if there is none.
    long next(long from) {
        if (from < lowEnd && low < lowEnd) {
            return Math.max(from, low);
        }
        if (from < high && hasBits()) {
            LongIterator between = bits().getLongIteratorFrom(from);
            if (between.hasNext()) {
                return between.next();
            }
        }
        long next = Math.max(from, high);
        return next < highEnd ? next : NONE;
    }

    void forEach(LongConsumer action) {
        forRun(low, lowEnd, action);
        if (hasBits()) {
            bits().forEach(action::accept);
        }
        forRun(high, highEnd, action);
    }

    private static void forRun(long from, long end, LongConsumer action) {
        for (long sequence = from; sequence < end; sequence++) {
            action.accept(sequence);
        }
    }

    /// Adds all to `others`.
    void addTo(Roaring64Bitmap others) {
        if (hasBits()) {
            others.or(bits());
        }
        addRun(low, lowEnd, others);
        addRun(high, highEnd, others);
    }

    private static void addRun(long from, long end, Roaring64Bitmap others) {
        if (from < end) {
            others.addRange(from, end);
        }
    }

    SequenceSet copy() {
        Roaring64Bitmap same = new Roaring64Bitmap();
        addTo(same);
        return new SequenceSet(same);
    }

    void clear() {
        bits = null;
        low = 0;
        lowEnd = 0;
        high = highEnd;
        count = 0;
        noRunBelow = 0;
    }

    /// Goes through the first run, the bitmap, and the last run.
    private final class Ascending implements PeekableLongIterator {
        private long nextLow;
        private PeekableLongIterator between;
        private long nextHigh;

        Ascending(long nextLow, PeekableLongIterator between, long nextHigh) {
            this.nextLow = nextLow;
            this.between = between;
            this.nextHigh = nextHigh;
        }

        private Ascending(Ascending other) {
            this(other.nextLow, other.between.clone(), other.nextHigh);
        }

        @Override
        public boolean hasNext() {
            return nextLow < lowEnd || between.hasNext() || nextHigh < highEnd;
        }

        @Override
        public long next() {
            if (nextLow < lowEnd) {
                return nextLow++;
            }
            return between.hasNext() ? between.next() : nextHigh++;
        }

        @Override
        public long peekNext() {
            if (nextLow < lowEnd) {
                return nextLow;
            }
            return between.hasNext() ? between.peekNext() : nextHigh;
        }

        @Override
        public void advanceIfNeeded(long least) {
            nextLow = Math.max(nextLow, least);
            between.advanceIfNeeded(least);
            if (between.hasNext() && between.peekNext() < least) {
                // Behind its end a bitmap's iterator stays where it is.
                between = new Roaring64Bitmap().getLongIterator();
            }
            nextHigh = Math.max(nextHigh, least);
        }

        @Override
        public PeekableLongIterator clone() {
            return new Ascending(this);
        }
    }
}
