package winnow.broker.shard;

import java.util.function.LongConsumer;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.PeekableLongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// A compressed set of sequences that knows how many it has: the bitmap alone counts them each time
/// that it is asked whether it is empty, in time proportional to its size. Owned by a shard.
final class SequenceSet {
    private final Roaring64Bitmap bits;
    private long count;

    SequenceSet() {
        this(new Roaring64Bitmap());
    }

    /// @param bits belong to the set from now on
    SequenceSet(Roaring64Bitmap bits) {
        this.bits = bits;
        this.count = bits.getLongCardinality();
    }

    long count() {
        return count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean contains(long sequence) {
        return count > 0 && bits.contains(sequence);
    }

    /// @return whether it was not there
    boolean add(long sequence) {
        if (bits.contains(sequence)) {
            return false;
        }
        bits.addLong(sequence);
        count++;
        return true;
    }

    /// @return whether it was there
    boolean remove(long sequence) {
        if (!contains(sequence)) {
            return false;
        }
        bits.removeLong(sequence);
        count--;
        return true;
    }

    /// Takes those out of `wanted` that it has.
    Roaring64Bitmap take(Roaring64Bitmap wanted) {
        Roaring64Bitmap taken = new Roaring64Bitmap();
        LongIterator sequences = wanted.getLongIterator();
        while (sequences.hasNext()) {
            long sequence = sequences.next();
            if (remove(sequence)) {
                taken.addLong(sequence);
            }
        }
        return taken;
    }

    /// The lowest; there is one.
    long first() {
        return bits.first();
    }

    /// Ascending.
    LongIterator iterator() {
        return bits.getLongIterator();
    }

    /// Ascending, from `first` on.
    PeekableLongIterator iteratorFrom(long first) {
        return bits.getLongIteratorFrom(first);
    }

    void forEach(LongConsumer action) {
        bits.forEach(action::accept);
    }

    /// Adds all to `others`.
    void addTo(Roaring64Bitmap others) {
        others.or(bits);
    }

    SequenceSet copy() {
        Roaring64Bitmap same = new Roaring64Bitmap();
        same.or(bits);
        return new SequenceSet(same);
    }

    void clear() {
        bits.clear();
        count = 0;
    }
}
