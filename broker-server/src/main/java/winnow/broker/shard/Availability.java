package winnow.broker.shard;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.LongIterator;
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

    /// Adds a sequence, if it is not there.
    void add(long sequence, int priority) {
        SequenceSet level = levels[priority];
        if (level == null) {
            level = new SequenceSet();
            levels[priority] = level;
        }
        if (level.add(sequence)) {
            count++;
        }
    }

    /// Takes a sequence out.
    ///
    /// @return whether it was there
    boolean remove(long sequence) {
        for (SequenceSet level : levels) {
            if (level != null && level.remove(sequence)) {
                count--;
                return true;
            }
        }
        return false;
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
        for (int priority = PRIORITIES - 1; count > 0 && priority >= 0; priority--) {
            SequenceSet level = levels[priority];
            if (level != null && !level.isEmpty()) {
                return level.first();
            }
        }
        return -1;
    }

    /// The priority of the sequence that is next.
    ///
    /// @return -1 if there is none
    int nextPriority() {
        for (int priority = PRIORITIES - 1; count > 0 && priority >= 0; priority--) {
            SequenceSet level = levels[priority];
            if (level != null && !level.isEmpty()) {
                return priority;
            }
        }
        return -1;
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

    /// Goes through those that are there in the order of their delivery.
    ///
    /// @param below it stops before this sequence
    Walk walk(long below) {
        return new Walk(below);
    }

    /// A place in the order of delivery. What comes or goes ahead of it is seen.
    final class Walk {
        private final long below;
        private int priority = PRIORITIES - 1;

        /// Those of the priority that are below have been passed.
        private long from;

        private Walk(long below) {
            this.below = below;
        }

        boolean hasNext() {
            while (priority >= 0) {
                LongIterator sequences = here();
                if (sequences.hasNext() && sequences.next() < below) {
                    return true;
                }
                descend();
            }
            return false;
        }

        /// The next ones, so many at most.
        long[] next(int limit) {
            long[] found = new long[limit];
            int filled = 0;
            while (filled < limit && hasNext()) {
                LongIterator sequences = here();
                while (filled < limit && sequences.hasNext()) {
                    long sequence = sequences.next();
                    if (sequence >= below) {
                        break;
                    }
                    found[filled++] = sequence;
                    from = sequence + 1;
                }
            }
            return Arrays.copyOf(found, filled);
        }

        private LongIterator here() {
            SequenceSet level = levels[priority];
            return (level == null ? EMPTY : level).iteratorFrom(from);
        }

        private void descend() {
            priority--;
            from = 0;
        }
    }

    /// Gets sequences with their priorities.
    interface Visitor {
        void visit(long sequence, int priority);
    }

    /// Takes all out.
    void drain(Visitor visitor) {
        @Nullable SequenceSet[] taken = levels.clone();
        clear();
        for (int priority = PRIORITIES - 1; priority >= 0; priority--) {
            SequenceSet level = taken[priority];
            if (level != null) {
                int its = priority;
                level.forEach(sequence -> visitor.visit(sequence, its));
            }
        }
    }

    void clear() {
        Arrays.fill(levels, null);
        count = 0;
    }
}
