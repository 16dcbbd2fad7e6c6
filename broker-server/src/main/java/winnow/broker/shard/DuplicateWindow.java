package winnow.broker.shard;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import winnow.store.Batch;
import winnow.store.Table;

/// The identifiers of the messages and transactions that came last: who sends one again after a
/// lost connection gets the same answer, and nothing is stored twice. Owned by the shard.
final class DuplicateWindow {
    /// Identifiers that are forgotten by one change of the log.
    private static final int FORGOTTEN_TOGETHER = 1024;

    private final int limit;
    private final Map<String, Long> numbers = new LinkedHashMap<>();
    private long next = 1;

    /// @param limit so many are remembered at least
    DuplicateWindow(int limit) {
        this.limit = limit;
    }

    /// Remembers an identifier, if it is not empty and not known already.
    ///
    /// @param stored whether the log does, too
    void add(Batch batch, String id, boolean stored) {
        if (id.isEmpty() || numbers.containsKey(id)) {
            return;
        }
        long number = next++;
        numbers.put(id, number);
        if (stored) {
            batch.put(Table.DUPLICATES, Keys.of(0, number), id.getBytes(StandardCharsets.UTF_8));
        }
        if (numbers.size() >= limit + FORGOTTEN_TOGETHER) {
            forget(batch);
        }
    }

    boolean contains(String id) {
        return numbers.containsKey(id);
    }

    private void forget(Batch batch) {
        Iterator<Long> oldest = numbers.values().iterator();
        long last = 0;
        while (numbers.size() > limit) {
            last = oldest.next();
            oldest.remove();
        }
        batch.deleteRange(Table.DUPLICATES, Keys.of(0, 0), Keys.of(0, last + 1));
    }

    /// An identifier was there when the shard was opened; in the order in which they came.
    void recover(byte[] key, byte[] row) {
        numbers.put(new String(row, StandardCharsets.UTF_8), Keys.number(key));
        next = Keys.number(key) + 1;
    }
}
