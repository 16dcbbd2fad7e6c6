package winnow.broker.shard;

import org.jspecify.annotations.Nullable;

/// The priorities of a destination's messages: for each priority a set of the sequences that have
/// it, once for all subscriptions and lanes, however many these are. Owned by a shard.
final class Priorities {
    static final int COUNT = 10;

    private final @Nullable SequenceSet[] levels = new SequenceSet[COUNT];

    /// A bit for each priority that has a set.
    private int used;

    /// Heap that the sets take, about.
    long heapBytes() {
        long bytes = 0;
        for (int left = used; left != 0; left &= left - 1) {
            SequenceSet level = levels[Integer.numberOfTrailingZeros(left)];
            bytes += level == null ? 0 : HeapCost.LEVEL + level.bitmapBytes();
        }
        return bytes;
    }

    void add(long sequence, int priority) {
        SequenceSet level = levels[priority];
        if (level == null) {
            level = new SequenceSet();
            levels[priority] = level;
            used |= 1 << priority;
        }
        level.add(sequence);
    }

    /// Nobody needs a message any more.
    void remove(long sequence) {
        for (int left = used; left != 0; left &= left - 1) {
            SequenceSet level = levels[Integer.numberOfTrailingZeros(left)];
            if (level != null && level.remove(sequence)) {
                return;
            }
        }
    }

    /// Nobody needs messages any more.
    ///
    /// @param first the lowest sequence
    /// @param end the sequence behind the last
    void remove(long first, long end) {
        for (SequenceSet level : levels) {
            if (level != null && level.next(first) < end) {
                level.remove(first, end);
            }
        }
    }

    /// @return -1 if nobody needs the message any more
    int of(long sequence) {
        for (int left = used; left != 0; left &= left - 1) {
            int priority = Integer.numberOfTrailingZeros(left);
            if (has(sequence, priority)) {
                return priority;
            }
        }
        return -1;
    }

    boolean has(long sequence, int priority) {
        SequenceSet level = levels[priority];
        return level != null && level.contains(sequence);
    }

    /// The lowest sequence of a priority that is not below `from` and that `some` has.
    ///
    /// @return [SequenceSet#NONE] if there is none
    long next(int priority, long from, SequenceSet some) {
        SequenceSet level = levels[priority];
        if (level == null) {
            return SequenceSet.NONE;
        }
        long next = some.next(from);
        while (next != SequenceSet.NONE) {
            long other = level.next(next);
            if (other == next) {
                return next;
            }
            next = other == SequenceSet.NONE ? other : some.next(other);
            if (next == other) {
                return next;
            }
        }
        return next;
    }
}
