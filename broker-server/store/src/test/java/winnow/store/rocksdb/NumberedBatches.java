package winnow.store.rocksdb;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import winnow.store.Batch;
import winnow.store.ShardLog;
import winnow.store.Table;

/// Batches whose content follows from their numbers, so that what a log holds can be compared with
/// what it must hold. Batch n writes row n of HEADERS and of BODIES and sets the one row of
/// PROGRESS to n; every 512th deletes all rows but the newest 2,048.
final class NumberedBatches {
    private static final int PRUNED_EVERY = 512;
    private static final int KEPT = 2048;
    private static final byte[] LAST = {'l', 'a', 's', 't'};

    private NumberedBatches() {}

    static Batch batch(long number) {
        Batch batch = new Batch();
        batch.put(Table.HEADERS, key(number), value(Table.HEADERS, number));
        batch.put(Table.BODIES, key(number), value(Table.BODIES, number));
        batch.put(Table.PROGRESS, LAST, key(number));
        if (prunes(number)) {
            batch.deleteRange(Table.HEADERS, key(0), key(firstKept(number)));
            batch.deleteRange(Table.BODIES, key(0), key(firstKept(number)));
        }
        return batch;
    }

    /// True if that batch deletes rows.
    static boolean prunes(long number) {
        return number % PRUNED_EVERY == 0;
    }

    /// Gives back the space of the rows that such a batch has deleted.
    static void reclaim(ShardLog log, long number) {
        log.reclaim(Table.HEADERS, key(0), key(firstKept(number)));
        log.reclaim(Table.BODIES, key(0), key(firstKept(number)));
    }

    private static long firstKept(long last) {
        return Math.max(1, last / PRUNED_EVERY * PRUNED_EVERY - KEPT);
    }

    /// Compares all rows with what the batches up to one that is found in the log have written.
    ///
    /// @return the number of that batch
    static long verify(ShardLog log) {
        byte[] stored = log.get(Table.PROGRESS, LAST);
        long last = stored == null ? 0 : ByteBuffer.wrap(stored).getLong();
        for (Table table : new Table[] {Table.HEADERS, Table.BODIES}) {
            verify(log, table, last);
        }
        return last;
    }

    private static void verify(ShardLog log, Table table, long last) {
        long[] expected = {firstKept(last)};
        log.scan(
                table,
                key(expected[0]),
                key(Long.MAX_VALUE),
                (key, value) -> {
                    long number = expected[0]++;
                    if (!Arrays.equals(key, key(number))
                            || !Arrays.equals(value, value(table, number))) {
                        throw new AssertionError(
                                table
                                        + ": expected row "
                                        + number
                                        + " of "
                                        + last
                                        + ", found key "
                                        + Arrays.toString(key));
                    }
                    return true;
                });
        if (expected[0] != last + 1) {
            throw new AssertionError(
                    table + ": expected rows up to " + last + ", found " + (expected[0] - 1));
        }
        byte[] found = last == 0 ? null : log.get(table, key(last));
        if (last > 0 && !Arrays.equals(found, value(table, last))) {
            throw new AssertionError(table + ": row " + last + " is another when it is asked for");
        }
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static byte[] value(Table table, long number) {
        Random random = new Random(number * Table.values().length + table.number());
        byte[] value = new byte[random.nextInt(600)];
        random.nextBytes(value);
        return value;
    }
}
