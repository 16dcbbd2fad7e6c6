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
    private final long limitBytes;
    private final Map<String, Long> numbers = new LinkedHashMap<>();
    private long next = 1;

    private long bytes;

    /// @param limit so many are remembered at least
    /// @param limitBytes of heap, above which fewer are remembered
    DuplicateWindow(int limit, long limitBytes) {
        this.limit = limit;
        this.limitBytes = limitBytes;
    }

    /// What they take of the heap.
    long bytes() {
        return bytes;
    }

    private static long heapBytes(String id) {
        return HeapCost.IDENTIFIER + HeapCost.characters(id);
    }

    /// Remembers an identifier, if it is not empty and not known already.
    ///
    /// @param stored whether the log does, too
    void add(Batch batch, String id, boolean stored) {
        if (id.isEmpty() || numbers.containsKey(id)) {
            return;
        }
        long number = next++;
        put(id, number);
        if (stored) {
            batch.put(Table.DUPLICATES, Keys.of(0, number), id.getBytes(StandardCharsets.UTF_8));
        }
        if (numbers.size() >= limit + FORGOTTEN_TOGETHER || bytes > limitBytes) {
            forget(batch);
        }
    }

    private void put(String id, long number) {
        if (numbers.put(id, number) == null) {
            bytes += heapBytes(id);
        }
    }

    boolean contains(String id) {
        return numbers.containsKey(id);
    }

    private void forget(Batch batch) {
        long last = forgetOldest();
        batch.deleteRange(Table.DUPLICATES, Keys.of(0, 0), Keys.of(0, last + 1));
    }

    /// @return number of the last one that was forgotten
    private long forgetOldest() {
        Iterator<Map.Entry<String, Long>> oldest = numbers.entrySet().iterator();
        long last = 0;
        while (numbers.size() > limit || bytes > limitBytes - limitBytes / 16) {
            Map.Entry<String, Long> one = oldest.next();
            last = one.getValue();
            bytes -= heapBytes(one.getKey());
            oldest.remove();
        }
        return last;
    }

    /// An identifier was there when the shard was opened; in the order in which they came.
    void recover(byte[] key, byte[] row) {
        put(new String(row, StandardCharsets.UTF_8), Keys.number(key));
        next = Keys.number(key) + 1;
        if (bytes > limitBytes) {
            // Another heap had room for more; their rows go with the next ones.
            forgetOldest();
        }
    }
}
