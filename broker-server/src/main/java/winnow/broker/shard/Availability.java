package winnow.broker.shard;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// Sequences of messages that may be delivered, and some that have ended meanwhile, in the order of
/// their priorities: one set, whatever the priorities are, because the destination knows these.
/// Owned by a shard.
final class Availability {
    /// Priority of a message that has ended, which nobody knows any more.
    private static final int LOWEST = 0;

    private final Priorities priorities;
    private final SequenceSet all = new SequenceSet();

    /// A bit for each priority that one of them may have. Most lists have one.
    private int used;

    /// By priority: none that has it is below. Null while nobody has looked for more than one.
    private long @Nullable [] from;

    /// @param priorities of the destination's messages
    Availability(Priorities priorities) {
        this.priorities = priorities;
    }

    int count() {
        return (int) all.count();
    }

    /// Heap that the set takes, about.
    long heapBytes() {
        return all.bitmapBytes();
    }

    /// Adds a sequence, if it is not there.
    void add(long sequence, int priority) {
        if (all.add(sequence)) {
            onAdded(1 << priority, sequence);
        }
    }

    /// @param added a bit for each priority
    /// @param lowest sequence
    private void onAdded(int added, long lowest) {
        used |= added;
        long[] known = from;
        if (known == null) {
            return;
        }
        for (int left = added; left != 0; left &= left - 1) {
            int priority = Integer.numberOfTrailingZeros(left);
            known[priority] = Math.min(known[priority], lowest);
        }
    }

    private void onRemoved() {
        if (all.isEmpty()) {
            used = 0;
        }
    }

    /// Takes a sequence out.
    ///
    /// @return whether it was there
    boolean remove(long sequence) {
        boolean removed = all.remove(sequence);
        onRemoved();
        return removed;
    }

    /// Takes a sequence out.
    ///
    /// @return its priority, -1 if it was not there
    int take(long sequence) {
        int priority = hasOnePriority() ? onlyPriority() : priorities.of(sequence);
        return remove(sequence) ? Math.max(LOWEST, priority) : -1;
    }

    /// Moves those of `which` that `others` have from there to here, together.
    ///
    /// @return which these are
    Roaring64Bitmap takeFrom(Availability others, Roaring64Bitmap which) {
        if (others.all.isEmpty()) {
            return new Roaring64Bitmap();
        }
        Roaring64Bitmap taken = others.all.take(which);
        if (!taken.isEmpty()) {
            all.addAll(taken);
            onAdded(others.used, taken.first());
            others.onRemoved();
        }
        return taken;
    }

    /// Forgets those that `others` do not have.
    void retain(Availability others) {
        if (!all.isEmpty()) {
            all.retain(others.all());
            onRemoved();
        }
    }

    boolean contains(long sequence) {
        return all.contains(sequence);
    }

    private boolean hasOnePriority() {
        return (used & used - 1) == 0;
    }

    private int onlyPriority() {
        return used == 0 ? -1 : Integer.numberOfTrailingZeros(used);
    }

    /// The lowest sequence of a priority that is not below `least`.
    ///
    /// @return [SequenceSet#NONE] if there is none
    private long next(int priority, long least) {
        if ((used >> priority & 1) == 0) {
            return SequenceSet.NONE;
        }
        return hasOnePriority() ? all.next(least) : priorities.next(priority, least, all);
    }

    /// The lowest sequence of a priority.
    ///
    /// @return [SequenceSet#NONE] if there is none
    private long first(int priority) {
        if ((used >> priority & 1) == 0) {
            return SequenceSet.NONE;
        }
        if (hasOnePriority()) {
            return all.first();
        }
        long[] known = from;
        if (known == null) {
            known = new long[Priorities.COUNT];
            from = known;
        }
        long first = known[priority];
        if (first != SequenceSet.NONE
                && !(all.contains(first) && priorities.has(first, priority))) {
            first = next(priority, first);
            known[priority] = first;
        }
        return first;
    }

    /// The sequence that is next: of the highest priority, of these the lowest.
    ///
    /// @return -1 if there is none
    long next() {
        int priority = nextPriority();
        long first = priority < 0 ? -1 : first(priority);
        return first == SequenceSet.NONE ? all.first() : first;
    }

    /// The priority of [#next], -1 if there is none.
    int nextPriority() {
        if (all.isEmpty()) {
            return -1;
        }
        for (int priority = Priorities.COUNT - 1; priority > LOWEST; priority--) {
            if (first(priority) != SequenceSet.NONE) {
                return priority;
            }
        }
        return LOWEST;
    }

    /// True if its next one is before that of `others`, of which there is one.
    boolean isBefore(Availability others) {
        int priority = nextPriority();
        int theirs = others.nextPriority();
        return priority == theirs ? next() < others.next() : priority > theirs;
    }

    /// The sequences that are next, in order, as many as are wanted and have not ended.
    long[] upcoming(int limit) {
        if (hasOnePriority()) {
            return oldest(limit);
        }
        long[] found = new long[Math.min(limit, count())];
        int filled = 0;
        for (int priority = Priorities.COUNT - 1; priority >= 0; priority--) {
            long sequence = filled < found.length ? first(priority) : SequenceSet.NONE;
            while (sequence != SequenceSet.NONE && filled < found.length) {
                found[filled++] = sequence;
                sequence = next(priority, sequence + 1);
            }
        }
        return Arrays.copyOf(found, filled);
    }

    /// The lowest sequences of any priority, ascending, as many as are wanted.
    long[] oldest(int limit) {
        long[] found = new long[Math.min(limit, count())];
        LongIterator sequences = all.iterator();
        for (int i = 0; i < found.length; i++) {
            found[i] = sequences.next();
        }
        return found;
    }

    /// The lowest sequences from one on, as many as are wanted.
    Roaring64Bitmap oldestFrom(long first, int limit) {
        Roaring64Bitmap found = new Roaring64Bitmap();
        LongIterator sequences = all.iteratorFrom(first);
        for (int i = 0; i < limit && sequences.hasNext(); i++) {
            found.addLong(sequences.next());
        }
        return found;
    }

    /// The lowest sequence that is not below `least`, [SequenceSet#NONE] if there is none.
    long nextFrom(long least) {
        return all.next(least);
    }

    /// All of them, without their priorities. Where there are no gaps it takes few bytes.
    Roaring64Bitmap all() {
        Roaring64Bitmap copy = new Roaring64Bitmap();
        all.addTo(copy);
        copy.runOptimize();
        return copy;
    }

    /// A place in the order of delivery of two lists together. What comes or goes ahead of it is
    /// seen.
    static final class Walk {
        private final long below;
        private final Availability first;
        private final Availability second;
        private int priority = Priorities.COUNT - 1;

        /// Messages of the priority that are below this have been passed.
        private long from;

        Walk(long below, Availability first, Availability second) {
            this.below = below;
            this.first = first;
            this.second = second;
        }

        boolean hasNext() {
            while (priority >= 0) {
                if (peek() < below) {
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
                long sequence = peek();
                found[filled++] = sequence;
                from = sequence + 1;
            }
            return Arrays.copyOf(found, filled);
        }

        private long peek() {
            return Math.min(first.next(priority, from), second.next(priority, from));
        }
    }

    void clear() {
        all.clear();
        used = 0;
    }
}
