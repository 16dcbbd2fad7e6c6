package winnow.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The tables of a shard on the heap. One thread applies batches; any thread reads, and sees each
/// batch whole or not at all.
public final class MemoryTables {
    /// Two array headers and the places in a skip list.
    private static final int ROW_BYTES = 96;

    private final Map<Table, ConcurrentNavigableMap<byte[], byte[]>> tables =
            new EnumMap<>(Table.class);

    /// Written by who applies batches.
    private final AtomicLong bytes = new AtomicLong();

    public MemoryTables() {
        for (Table table : Table.values()) {
            tables.put(table, new ConcurrentSkipListMap<>(Arrays::compareUnsigned));
        }
    }

    private ConcurrentNavigableMap<byte[], byte[]> rows(Table table) {
        ConcurrentNavigableMap<byte[], byte[]> rows = tables.get(table);
        if (rows == null) {
            throw new IllegalStateException("no table " + table);
        }
        return rows;
    }

    /// Makes the changes of a batch.
    public synchronized void apply(Batch batch) {
        batch.forEach(
                new Batch.Visitor() {
                    @Override
                    public void onPut(Table table, byte[] key, byte[] value) {
                        count(key, value, 1);
                        byte[] before = rows(table).put(key, value);
                        count(key, before, -1);
                    }

                    @Override
                    public void onDelete(Table table, byte[] key) {
                        count(key, rows(table).remove(key), -1);
                    }

                    @Override
                    public void onDeleteRange(Table table, byte[] from, byte[] to) {
                        Map<byte[], byte[]> range = rows(table).subMap(from, to);
                        range.forEach((key, value) -> count(key, value, -1));
                        range.clear();
                    }
                });
    }

    private void count(byte[] key, byte @Nullable [] value, int sign) {
        if (value != null) {
            bytes.addAndGet(sign * ((long) ROW_BYTES + key.length + value.length));
        }
    }

    /// Heap that the rows take, about. Any thread; of a moment ago.
    public long bytes() {
        return bytes.get();
    }

    /// The value of a row, null if there is none; not to be changed.
    public byte @Nullable [] get(Table table, byte[] key) {
        return rows(table).get(key);
    }

    /// The rows from `from` to before `to`, as they are now; none if `to` is not behind `from`.
    public void scan(Table table, byte[] from, byte[] to, RowConsumer rows) {
        for (Map.Entry<byte[], byte[]> row : copy(table, from, to)) {
            if (!rows.onRow(row.getKey(), row.getValue())) {
                return;
            }
        }
    }

    /// Of no more rows than a reader asks for at a time, so that [#apply] waits for a moment only.
    private synchronized List<Map.Entry<byte[], byte[]>> copy(Table table, byte[] from, byte[] to) {
        return Arrays.compareUnsigned(from, to) < 0
                ? new ArrayList<>(rows(table).subMap(from, to).entrySet())
                : List.of();
    }

    /// How many rows a table has.
    public int size(Table table) {
        return rows(table).size();
    }
}
