package winnow.store.rocksdb;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import winnow.store.Batch;
import winnow.store.Durability;
import winnow.store.Table;

/// Writes a group of batches as one batch of RocksDB, which is one record of its write-ahead log.
/// Used by one thread at a time.
final class BatchWriter implements Committer.GroupWriter, Batch.Visitor, AutoCloseable {
    private final byte[] afterSynced;
    private final byte[] afterUnsynced;
    private final RocksDB database;
    private final List<ColumnFamilyHandle> families;
    private final RocksOptions options;
    private final LogEnd logEnd;
    private final WriteBatch changes = new WriteBatch();

    /// Rows that are not in the write-ahead log.
    private final WriteBatch passing = new WriteBatch();

    /// True if what opening has found is in data files, or has been cut off.
    private boolean allSynced = true;

    /// @param families of each table that with its number plus 1
    BatchWriter(
            RocksDB database,
            List<ColumnFamilyHandle> families,
            RocksOptions options,
            LogEnd logEnd) {
        this.logEnd = logEnd;
        long token = new SecureRandom().nextLong() | 1;
        afterSynced = RecordFile.logData(RecordFile.AFTER_SYNCED, token);
        afterUnsynced = RecordFile.logData(RecordFile.AFTER_UNSYNCED, token);
        this.database = database;
        this.families = families;
        this.options = options;
    }

    @Override
    public void write(List<Batch> group, Durability durability) {
        try {
            begin();
            for (Batch batch : group) {
                batch.forEach(this);
            }
            boolean nothingElse = passing.count() > 0 && changes.count() == 0;
            writePassing();
            if (!nothingElse || durability == Durability.SYNCED) {
                end(durability);
            }
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /// Writes and syncs a row of the default column family.
    void writeDefault(byte[] key, byte[] value) throws RocksDBException {
        begin();
        changes.put(families.getFirst(), key, value);
        end(Durability.SYNCED);
    }

    private void writePassing() throws RocksDBException {
        if (passing.count() > 0) {
            database.write(options.unlogged(), passing);
            passing.clear();
        }
    }

    private void begin() throws RocksDBException {
        changes.clear();
        changes.putLogData(allSynced ? afterSynced : afterUnsynced);
    }

    private void end(Durability durability) throws RocksDBException {
        database.write(options.write(durability), changes);
        try {
            boolean begun = logEnd.onWritten();
            allSynced = durability == Durability.SYNCED;
            if (begun && !allSynced) {
                database.syncWal();
                allSynced = true;
            }
            if (allSynced) {
                logEnd.onSynced();
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }

    @Override
    public void onIdle() {
        try {
            logEnd.onIdle();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private RuntimeException failure(Exception e) {
        return RocksFailure.of("writing to the store " + database.getName(), e);
    }

    private ColumnFamilyHandle family(Table table) {
        return families.get(1 + table.number());
    }

    @Override
    public void onPut(Table table, byte[] key, byte[] value) {
        try {
            changes.put(family(table), key, value);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    @Override
    public void onPutPassing(Table table, byte[] key, byte[] value) {
        try {
            passing.put(family(table), key, value);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    @Override
    public void onDelete(Table table, byte[] key) {
        try {
            changes.delete(family(table), key);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    @Override
    public void onDeleteRange(Table table, byte[] from, byte[] to) {
        try {
            changes.deleteRange(family(table), from, to);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    @Override
    public void close() {
        changes.close();
        passing.close();
    }
}
