package winnow.broker.shard;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.Table;

/// Numbers for destinations and subscriptions, none of which comes twice in the log: some are
/// reserved ahead by a row of [Table#META]. Owned by the shard.
final class Ids {
    static final byte[] KEY = "ids".getBytes(StandardCharsets.UTF_8);

    /// A start passes over so many numbers at most.
    private static final int RESERVED = 1024;

    /// Numbers that the log has never seen, and that wait to be given again.
    private static final int MAX_FREE = 4096;

    private final Deque<Integer> free = new ArrayDeque<>();
    private int last;
    private int reserved;

    /// @throws IllegalStateException if all have been given
    int next(Batch batch) {
        if (last == reserved) {
            if (reserved > Integer.MAX_VALUE - RESERVED - 1) {
                throw new IllegalStateException(
                        "the store has had " + last + " destinations and has no number left");
            }
            reserved += RESERVED;
            batch.put(Table.META, KEY, Keys.of(reserved));
        }
        return ++last;
    }

    /// A number of something that nobody refers to by its number, neither in the log nor elsewhere.
    int nextFleeting(Batch batch) {
        Integer again = free.pollFirst();
        return again != null ? again : next(batch);
    }

    /// Frees the number of something that is gone, and was never in the log.
    void free(int id) {
        if (free.size() < MAX_FREE) {
            free.addLast(id);
        }
    }

    /// Recovers what the log says.
    ///
    /// @param row null if there is none
    /// @throws winnow.store.LogException if it is none
    void recover(byte @Nullable [] row) {
        if (row != null) {
            last = Keys.onlyId(row, "reserved numbers");
            reserved = last;
        }
    }
}
