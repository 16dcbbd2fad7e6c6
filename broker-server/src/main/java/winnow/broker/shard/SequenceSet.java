package winnow.broker.shard;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.PeekableLongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// A compressed set of sequences. Owned by a shard.
///
/// The highest sequences are a run of their own, without gaps, beside a bitmap: messages that come
/// and go in their order change only the two ends of the run.
final class SequenceSet {
    /// Longest run: what is in it may have to move to the bitmap, one by one.
    private static final int MAX_RUN = 4096;

    /// All of them are below the run. Null while there are none.
    private @Nullable Roaring64Bitmap bits;

    /// The run, without its end; what is added next is above it as a rule.
    private long from;

    private long to;

    /// Of the bitmap and the run.
    private long count;

    SequenceSet() {}

    /// @param bits belong to the set from now on
    SequenceSet(Roaring64Bitmap bits) {
        this.bits = bits;
        count = bits.getLongCardinality();
        from = count == 0 ? 0 : bits.last() + 1;
        to = from;
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

    boolean isEmpty() {
        return count == 0;
    }

    boolean contains(long sequence) {
        return inRun(sequence) || (hasBits() && bits().contains(sequence));
    }

    private boolean inRun(long sequence) {
        return sequence >= from && sequence < to;
    }

    private boolean hasBits() {
        return count > to - from;
    }

    /// @return whether it was not there
    boolean add(long sequence) {
        if (sequence == to) {
            to++;
            if (to - from > MAX_RUN) {
                bits().addLong(from++);
            }
        } else if (sequence > to) {
            if (from < to) {
                addRun(bits(), to);
            }
            from = sequence;
            to = sequence + 1;
        } else if (contains(sequence)) {
            return false;
        } else {
            bits().addLong(sequence);
        }
        count++;
        return true;
    }

    /// @return whether it was there
    boolean remove(long sequence) {
        if (!inRun(sequence)) {
            if (!hasBits() || !bits().contains(sequence)) {
                return false;
            }
            bits().removeLong(sequence);
        } else if (sequence == from) {
            from++;
        } else {
            addRun(bits(), sequence);
            from = sequence + 1;
        }
        count--;
        return true;
    }

    /// Takes those out of `wanted` that it has.
    Roaring64Bitmap take(Roaring64Bitmap wanted) {
        Roaring64Bitmap taken = new Roaring64Bitmap();
        wanted.forEach(sequence -> {
            if (remove(sequence)) {
                taken.addLong(sequence);
            }
        });
        return taken;
    }

    /// The lowest; there is one.
    long first() {
        return hasBits() ? bits().first() : from;
    }

    /// Ascending.
    PeekableLongIterator iterator() {
        return new Ascending(bits().getLongIterator(), from);
    }

    /// Ascending, from `first` on.
    PeekableLongIterator iteratorFrom(long first) {
        return new Ascending(bits().getLongIteratorFrom(first), Math.max(first, from));
    }

    void forEach(LongConsumer action) {
        if (hasBits()) {
            bits().forEach(action::accept);
        }
        for (long sequence = from; sequence < to; sequence++) {
            action.accept(sequence);
        }
    }

    /// Adds all to `others`.
    void addTo(Roaring64Bitmap others) {
        if (hasBits()) {
            others.or(bits());
        }
        addRun(others, to);
    }

    /// Adds the run up to `end` to others.
    private void addRun(Roaring64Bitmap others, long end) {
        for (long sequence = from; sequence < end; sequence++) {
            others.addLong(sequence);
        }
    }

    SequenceSet copy() {
        Roaring64Bitmap same = new Roaring64Bitmap();
        addTo(same);
        return new SequenceSet(same);
    }

    void clear() {
        bits = null;
        from = to;
        count = 0;
    }

    /// Goes through the bitmap, then through the run.
    private final class Ascending implements PeekableLongIterator {
        private final PeekableLongIterator below;
        private long next;

        Ascending(PeekableLongIterator below, long next) {
            this.below = below;
            this.next = next;
        }

        private Ascending(Ascending other) {
            this(other.below.clone(), other.next);
        }

        @Override
        public boolean hasNext() {
            return below.hasNext() || next < to;
        }

        @Override
        public long next() {
            return below.hasNext() ? below.next() : next++;
        }

        @Override
        public long peekNext() {
            return below.hasNext() ? below.peekNext() : next;
        }

        @Override
        public void advanceIfNeeded(long least) {
            below.advanceIfNeeded(least);
            next = Math.max(next, least);
        }

        @Override
        public PeekableLongIterator clone() {
            return new Ascending(this);
        }
    }
}
