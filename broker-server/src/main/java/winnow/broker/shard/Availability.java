package winnow.broker.shard;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.PeekableLongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// Sequences of messages that may be delivered, by priority: a bit for each. Owned by a shard.
final class Availability {
    static final int PRIORITIES = 10;

    /// Of all shards, and never changed: it has its bitmap from the beginning.
    private static final SequenceSet EMPTY = new SequenceSet(new Roaring64Bitmap());

    private final @Nullable SequenceSet[] levels = new SequenceSet[PRIORITIES];
    private int count;

    int count() {
        return count;
    }

    /// Heap that the sets take, about.
    long heapBytes() {
        long bytes = 0;
        for (SequenceSet level : levels) {
            bytes += level == null ? 0 : HeapCost.LEVEL + level.bitmapBytes();
        }
        return bytes;
    }

    /// Adds a sequence, if it is not there.
    void add(long sequence, int priority) {
        if (level(priority).add(sequence)) {
            count++;
        }
    }

    private SequenceSet level(int priority) {
        SequenceSet level = levels[priority];
        if (level == null) {
            level = new SequenceSet();
            levels[priority] = level;
        }
        return level;
    }

    /// Takes a sequence out.
    ///
    /// @return whether it was there
    boolean remove(long sequence) {
        return take(sequence) >= 0;
    }

    /// Takes a sequence out.
    ///
    /// @return its priority, -1 if it was not there
    int take(long sequence) {
        for (int priority = 0; count > 0 && priority < PRIORITIES; priority++) {
            SequenceSet level = levels[priority];
            if (level != null && level.remove(sequence)) {
                count--;
                return priority;
            }
        }
        return -1;
    }

    /// Moves those of `which` that `others` have from there to here, together.
    ///
    /// @return which these are
    Roaring64Bitmap takeFrom(Availability others, Roaring64Bitmap which) {
        Roaring64Bitmap all = new Roaring64Bitmap();
        for (int priority = 0; others.count > 0 && priority < PRIORITIES; priority++) {
            SequenceSet theirs = others.levels[priority];
            if (theirs == null || theirs.isEmpty()) {
                continue;
            }
            Roaring64Bitmap taken = theirs.takeAll(which);
            if (taken.isEmpty()) {
                continue;
            }
            others.count -= taken.getIntCardinality();
            SequenceSet level = level(priority);
            count -= (int) level.count();
            level.addAll(taken);
            count += (int) level.count();
            all.or(taken);
        }
        return all;
    }

    /// Forgets those that `others` do not have.
    void retain(Availability others) {
        Roaring64Bitmap kept = others.all();
        count = 0;
        for (SequenceSet level : levels) {
            if (level != null) {
                level.retain(kept);
                count += (int) level.count();
            }
        }
    }

    boolean contains(long sequence) {
        for (SequenceSet level : levels) {
            if (level != null && level.contains(sequence)) {
                return true;
            }
        }
        return false;
    }

    /// The sequence that is next: of the highest priority, of these the lowest.
    ///
    /// @return -1 if there is none
    long next() {
        int priority = nextPriority();
        return priority < 0 ? -1 : level(priority).first();
    }

    /// The priority of [#next], -1 if there is none.
    int nextPriority() {
        for (int priority = PRIORITIES - 1; count > 0 && priority >= 0; priority--) {
            SequenceSet level = levels[priority];
            if (level != null && !level.isEmpty()) {
                return priority;
            }
        }
        return -1;
    }

    /// True if its next one is before that of `others`, of which there is one.
    boolean isBefore(Availability others) {
        int priority = nextPriority();
        int theirs = others.nextPriority();
        return priority == theirs ? next() < others.next() : priority > theirs;
    }

    /// The sequences that are next, in order, as many as are wanted.
    long[] upcoming(int limit) {
        long[] found = new long[Math.min(limit, count)];
        int filled = 0;
        for (int priority = PRIORITIES - 1; filled < found.length && priority >= 0; priority--) {
            SequenceSet level = levels[priority];
            if (level == null) {
                continue;
            }
            LongIterator sequences = level.iterator();
            while (filled < found.length && sequences.hasNext()) {
                found[filled++] = sequences.next();
            }
        }
        return found;
    }

    /// The lowest sequences of any priority, ascending, as many as are wanted.
    long[] oldest(int limit) {
        long[] found = new long[limit * PRIORITIES];
        int filled = 0;
        for (SequenceSet level : levels) {
            LongIterator sequences = level == null ? null : level.iterator();
            for (int i = 0; sequences != null && i < limit && sequences.hasNext(); i++) {
                found[filled++] = sequences.next();
            }
        }
        Arrays.sort(found, 0, filled);
        return Arrays.copyOf(found, Math.min(limit, filled));
    }

    /// All of them, without their priorities. Where there are no gaps it takes few bytes.
    Roaring64Bitmap all() {
        Roaring64Bitmap all = new Roaring64Bitmap();
        for (SequenceSet level : levels) {
            if (level != null) {
                level.addTo(all);
            }
        }
        all.runOptimize();
        return all;
    }

    /// A place in the order of delivery of two lists together. What comes or goes ahead of it is
    /// seen.
    static final class Walk {
        private final long below;
        private final Availability first;
        private final Availability second;
        private int priority = PRIORITIES - 1;

        /// Those of the priority that are below have been passed.
        private long from;

        Walk(long below, Availability first, Availability second) {
            this.below = below;
            this.first = first;
            this.second = second;
        }

        boolean hasNext() {
            while (priority >= 0) {
                if (next(here(first), here(second)) < below) {
                    return true;
                }
                priority--;
                from = 0;
            }
            return false;
        }

        /// The next ones, so many at most.
        long[] next(int limit) {
            long[] found = new long[limit];
            int filled = 0;
            while (filled < limit && hasNext()) {
                PeekableLongIterator firsts = here(first);
                PeekableLongIterator seconds = here(second);
                long sequence = next(firsts, seconds);
                while (filled < limit && sequence < below) {
                    found[filled++] = sequence;
                    from = sequence + 1;
                    (firsts.hasNext() && firsts.peekNext() == sequence ? firsts : seconds).next();
                    sequence = next(firsts, seconds);
                }
            }
            return Arrays.copyOf(found, filled);
        }

        /// @return beyond all if there is none
        private static long next(PeekableLongIterator firsts, PeekableLongIterator seconds) {
            long first = firsts.hasNext() ? firsts.peekNext() : Long.MAX_VALUE;
            return seconds.hasNext() ? Math.min(first, seconds.peekNext()) : first;
        }

        private PeekableLongIterator here(Availability list) {
            SequenceSet level = list.levels[priority];
            return (level == null ? EMPTY : level).iteratorFrom(from);
        }
    }

    void clear() {
        Arrays.fill(levels, null);
        count = 0;
    }
}
