package winnow.tests;

import java.nio.file.Path;
import winnow.store.Table;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;

/// Looks at what is left of bodies in parts.
public final class StoredParts {
    private StoredParts() {}

    /// The rows of parts in the store of a broker that has stopped.
    public static int count(Path store) {
        int[] rows = new int[1];
        try (RocksShardLog log =
                RocksShardLog.open(store, Runnable::run, RocksSettings.defaults())) {
            log.scan(
                    Table.PARTS,
                    new byte[0],
                    new byte[] {-1, -1},
                    (key, row) -> {
                        rows[0]++;
                        return true;
                    });
        }
        return rows[0];
    }
}
