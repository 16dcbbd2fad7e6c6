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
    /// Two array headers, a [Row] and the places in a skip list.
    private static final int ROW_BYTES = 112;

    /// A value, and whose memory it takes; null if it takes nobody's.
    private static final class Row {
        final byte[] value;
        final @Nullable RowOwner owner;

        Row(byte[] value, @Nullable RowOwner owner) {
            this.value = value;
            this.owner = owner;
        }
    }

    private final Map<Table, ConcurrentNavigableMap<byte[], Row>> tables =
            new EnumMap<>(Table.class);

    /// Written by who applies batches.
    private final AtomicLong bytes = new AtomicLong();

    public MemoryTables() {
        for (Table table : Table.values()) {
            tables.put(table, new ConcurrentSkipListMap<>(Arrays::compareUnsigned));
        }
    }

    private ConcurrentNavigableMap<byte[], Row> rows(Table table) {
        ConcurrentNavigableMap<byte[], Row> rows = tables.get(table);
        if (rows == null) {
            throw new IllegalStateException("no table " + table);
        }
        return rows;
    }

    /// Makes the changes of a batch.
    public synchronized void apply(Batch batch) {
        batch.forEach(
                new Batch.Visitor() {
                    private @Nullable RowOwner owner;

                    @Override
                    public void onOwner(@Nullable RowOwner next) {
                        owner = next;
                    }

                    @Override
                    public void onPut(Table table, byte[] key, byte[] value) {
                        Row row = new Row(value, owner);
                        count(key, row, 1);
                        count(key, rows(table).put(key, row), -1);
                    }

                    @Override
                    public void onDelete(Table table, byte[] key) {
                        count(key, rows(table).remove(key), -1);
                    }

                    @Override
                    public void onDeleteRange(Table table, byte[] from, byte[] to) {
                        Map<byte[], Row> range = rows(table).subMap(from, to);
                        range.forEach((key, row) -> count(key, row, -1));
                        range.clear();
                    }
                });
    }

    private void count(byte[] key, @Nullable Row row, int sign) {
        if (row == null) {
            return;
        }
        long change = sign * ((long) ROW_BYTES + key.length + row.value.length);
        bytes.addAndGet(change);
        if (row.owner != null) {
            row.owner.onRows(change);
        }
    }

    /// Heap that the rows take, about. Any thread; of a moment ago.
    public long bytes() {
        return bytes.get();
    }

    /// The value of a row, null if there is none; not to be changed.
    public byte @Nullable [] get(Table table, byte[] key) {
        Row row = rows(table).get(key);
        return row == null ? null : row.value;
    }

    /// Owner of the memory that a row takes, null if there is no row or it takes nobody's.
    public @Nullable RowOwner owner(Table table, byte[] key) {
        Row row = rows(table).get(key);
        return row == null ? null : row.owner;
    }

    /// The rows from `from` to before `to`, as they are now; none if `to` is not behind `from`.
    public void scan(Table table, byte[] from, byte[] to, RowConsumer rows) {
        for (Map.Entry<byte[], Row> row : copy(table, from, to)) {
            if (!rows.onRow(row.getKey(), row.getValue().value)) {
                return;
            }
        }
    }

    /// Of no more rows than a reader asks for at a time, so that [#apply] waits for a moment only.
    private synchronized List<Map.Entry<byte[], Row>> copy(Table table, byte[] from, byte[] to) {
        return Arrays.compareUnsigned(from, to) < 0
                ? new ArrayList<>(rows(table).subMap(from, to).entrySet())
                : List.of();
    }

    /// Number of rows that a table has.
    public int size(Table table) {
        return rows(table).size();
    }
}
