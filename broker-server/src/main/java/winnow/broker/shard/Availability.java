package winnow.broker.shard;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/// Sequences of messages that may be delivered, by priority: a bit for each. Owned by a shard.
final class Availability {
    private static final int PRIORITIES = 10;

    private final @Nullable Roaring64Bitmap[] levels = new Roaring64Bitmap[PRIORITIES];
    private int count;

    int count() {
        return count;
    }

    /// Adds a sequence, if it is not there.
    void add(long sequence, int priority) {
        Roaring64Bitmap level = levels[priority];
        if (level == null) {
            level = new Roaring64Bitmap();
            levels[priority] = level;
        }
        if (!level.contains(sequence)) {
            level.addLong(sequence);
            count++;
        }
    }

    /// Takes a sequence out.
    ///
    /// @return whether it was there
    boolean remove(long sequence) {
        for (Roaring64Bitmap level : levels) {
            if (level != null && level.contains(sequence)) {
                level.removeLong(sequence);
                count--;
                return true;
            }
        }
        return false;
    }

    boolean contains(long sequence) {
        for (Roaring64Bitmap level : levels) {
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
            Roaring64Bitmap level = levels[priority];
            if (level != null && !level.isEmpty()) {
                return level.first();
            }
        }
        return -1;
    }

    /// The sequences that are next, in order, as many as are wanted.
    long[] upcoming(int limit) {
        long[] found = new long[Math.min(limit, count)];
        int filled = 0;
        for (int priority = PRIORITIES - 1; filled < found.length && priority >= 0; priority--) {
            Roaring64Bitmap level = levels[priority];
            if (level == null) {
                continue;
            }
            LongIterator sequences = level.getLongIterator();
            while (filled < found.length && sequences.hasNext()) {
                found[filled++] = sequences.next();
            }
        }
        return found;
    }

    /// All of them, without their priorities.
    Roaring64Bitmap all() {
        Roaring64Bitmap all = new Roaring64Bitmap();
        for (Roaring64Bitmap level : levels) {
            if (level != null) {
                all.or(level);
            }
        }
        return all;
    }

    void clear() {
        Arrays.fill(levels, null);
        count = 0;
    }
}
