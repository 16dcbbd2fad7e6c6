package winnow.tests.floor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import winnow.store.ShardLog;
import winnow.store.Table;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;

/// Measures what a broker must read of its store at least before it can go on: all rows but those
/// of bodies, which is what Winnow reads. Prints a table.
///
/// Usage: `ReplayBenchmark STORE_DIRECTORY [COPY]`. The copy is made of the store afterwards; it
/// shares the files of the store, so that both must be on one disk.
public final class ReplayBenchmark {
    private static final byte[] FIRST = {};
    private static final byte[] END = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

    private long rows;
    private long bytes;

    private ReplayBenchmark() {}

    public static void main(String[] args) {
        if (args.length < 1 || args.length > 2) {
            System.err.println("usage: ReplayBenchmark STORE_DIRECTORY [COPY]");
            System.exit(2);
        }
        Path directory = Path.of(args[0]);
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException("expected a store, found nothing in " + directory);
        }
        ReplayBenchmark replay = new ReplayBenchmark();
        try (ShardLog log =
                RocksShardLog.open(directory, Runnable::run, RocksSettings.defaults())) {
            long start = System.nanoTime();
            replay.scan(log);
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.println("| rows | bytes | scan s |");
            System.out.println("|---|---|---|");
            System.out.printf(
                    Locale.ROOT, "| %d | %d | %.3f |%n", replay.rows, replay.bytes, seconds);
            if (args.length > 1) {
                log.checkpoint(Path.of(args[1]));
            }
        }
    }

    private void scan(ShardLog log) {
        EnumSet<Table> left = EnumSet.of(Table.BODIES, Table.PARTS, Table.QUARANTINED);
        for (Table table : EnumSet.complementOf(left)) {
            log.scan(table, FIRST, END, this::onRow);
        }
    }

    private boolean onRow(byte[] key, byte[] row) {
        rows++;
        bytes += key.length + row.length;
        return true;
    }
}
