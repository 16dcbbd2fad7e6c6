package winnow.store.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.RowConsumer;
import winnow.store.ShardLog;
import winnow.store.Table;

/// A shard's log in the files of a directory: one RocksDB database with a column family for each
/// table.
///
/// Batches become durable in RocksDB's write-ahead log, which its [Committer] writes group by
/// group. After a crash the log holds a first part of all batches that were appended; whatever was
/// completed as [Durability#SYNCED] is in it. Files that are damaged are refused when the log is
/// opened or the row is read, with [Reason#CORRUPT].
public final class RocksShardLog implements ShardLog {
    private static final Logger LOG = LoggerFactory.getLogger(RocksShardLog.class);

    /// Row of the default column family: the epoch of the last owner, 8 bytes, big-endian.
    private static final byte[] EPOCH = "epoch".getBytes(StandardCharsets.US_ASCII);

    /// Tables whose files take most of the disk.
    private static final List<Table> LARGE = List.of(Table.HEADERS, Table.BODIES, Table.PARTS);

    private final StoreDirectory directory;
    private final RocksOptions options;

    /// The default column family, then that of each table.
    private final List<ColumnFamilyHandle> families = new ArrayList<>();

    private final RocksDB database;
    private final BatchWriter writer;
    private final LogEnd logEnd;
    private final long epoch;
    private final Committer committer;

    /// Held for reading by whoever uses the database: closing it under them would end the process.
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

    private boolean closed;

    private RocksShardLog(
            StoreDirectory directory, RocksOptions options, Executor executor, int groupBytes)
            throws IOException, RocksDBException {
        this.directory = directory;
        this.options = options;
        logEnd = LogEnd.open(directory.path(), System::nanoTime);
        boolean databaseOpened = false;
        try {
            database = openDatabase();
            databaseOpened = true;
        } finally {
            if (!databaseOpened) {
                logEnd.close();
            }
        }
        writer = new BatchWriter(database, families, options, logEnd);
        boolean taken = false;
        try {
            epoch = takeEpoch();
            if (!directory.isComplete()) {
                directory.complete();
            }
            taken = true;
        } finally {
            if (!taken) {
                closeDatabase();
            }
        }
        committer = new Committer(writer, executor, groupBytes, LogEnd.INTERVAL_NANOS);
    }

    /// Opens the log in a directory, which is made if it is missing. Blocks.
    ///
    /// @param executor calls the completions, one after the other
    /// @throws LogException if another log uses the directory, if it is of a newer version, or if
    ///   its files are damaged
    public static RocksShardLog open(Path directory, Executor executor, RocksSettings settings) {
        loadLibrary();
        StoreDirectory locked = StoreDirectory.open(directory);
        RocksOptions options = null;
        boolean opened = false;
        try {
            options = new RocksOptions(settings);
            RocksShardLog log = new RocksShardLog(locked, options, executor, settings.groupBytes());
            log.committer.start();
            LOG.info("Opened the store {}, epoch {}", directory, log.epoch);
            opened = true;
            return log;
        } catch (IOException | RocksDBException | UncheckedIOException e) {
            throw RocksFailure.of("opening the store " + directory, e);
        } finally {
            if (!opened) {
                if (options != null) {
                    options.close();
                }
                locked.close();
            }
        }
    }

    private static void loadLibrary() {
        try {
            RocksDB.loadLibrary();
        } catch (UnsatisfiedLinkError | RuntimeException e) {
            throw new LogException(
                    Reason.IO,
                    "RocksDB's native library cannot be loaded: "
                            + e.getMessage()
                            + ". It is looked for in java.library.path; if it is not there, it is"
                            + " unpacked to java.io.tmpdir, which must allow execution",
                    e);
        }
    }

    private RocksDB openDatabase() throws IOException, RocksDBException {
        Path files = directory.rocksdb();
        if (directory.isComplete()) {
            RecordCheck.repair(files, logEnd);
        } else {
            logEnd.forget();
            directory.clear();
            StoreDirectory.make(files);
        }
        // Where a log has been made, a missing file is damage, not a reason to begin anew.
        options.database().setCreateIfMissing(!directory.isComplete());
        return RocksDB.open(
                options.database(), files.toString(), options.columnFamilies(), families);
    }

    private long takeEpoch() throws RocksDBException {
        byte[] last = database.get(families.getFirst(), options.gets(), EPOCH);
        if (last == null && directory.isComplete()) {
            throw new LogException(
                    Reason.CORRUPT, "the store " + directory + ": expected an epoch, found none");
        }
        long next = last == null ? 1 : ByteBuffer.wrap(last).getLong() + 1;
        writer.writeDefault(EPOCH, ByteBuffer.allocate(Long.BYTES).putLong(next).array());
        return next;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public void append(Batch batch, Durability durability, Completion completion) {
        committer.append(batch, durability, completion);
    }

    private ColumnFamilyHandle family(Table table) {
        return families.get(1 + table.number());
    }

    /// @throws LogException if the database has been closed
    private void beginUse() {
        use.readLock().lock();
        if (closed) {
            use.readLock().unlock();
            throw new LogException(Reason.CLOSED, "the store " + directory + " has been closed");
        }
    }

    private void endUse() {
        use.readLock().unlock();
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        beginUse();
        try {
            return database.get(family(table), options.gets(), key);
        } catch (RocksDBException e) {
            throw RocksFailure.of("reading table " + table + " of the store " + directory, e);
        } finally {
            endUse();
        }
    }

    @Override
    public void scan(Table table, byte[] from, byte[] to, RowConsumer rows) {
        beginUse();
        try (Slice end = new Slice(to);
                ReadOptions scan = options.newScan().setIterateUpperBound(end);
                RocksIterator iterator = database.newIterator(family(table), scan)) {
            iterator.seek(from);
            while (iterator.isValid() && rows.onRow(iterator.key(), iterator.value())) {
                iterator.next();
            }
            iterator.status();
        } catch (RocksDBException e) {
            throw RocksFailure.of("reading table " + table + " of the store " + directory, e);
        } finally {
            endUse();
        }
    }

    /// Removes the data files that hold nothing but that range. Rows of it may show up again after
    /// that, if what removed was a file with their deletions.
    @Override
    public void reclaim(Table table, byte[] from, byte[] to) {
        beginUse();
        try {
            database.deleteFilesInRanges(family(table), List.of(from, to), false);
        } catch (RocksDBException e) {
            throw RocksFailure.of("removing files of the store " + directory, e);
        } finally {
            endUse();
        }
    }

    @Override
    public void checkpoint(Path copy) {
        beginUse();
        try (Checkpoint checkpoint = Checkpoint.create(database)) {
            StoreDirectory.make(copy);
            checkpoint.createCheckpoint(StoreDirectory.rocksdb(copy).toString());
            StorePermissions.tighten(copy);
            RecordCheck.repairCopy(StoreDirectory.rocksdb(copy));
            try (LogEnd end = LogEnd.open(copy, System::nanoTime)) {
                end.onEnd();
            }
            StoreDirectory.complete(copy);
        } catch (IOException | RocksDBException e) {
            throw RocksFailure.of("copying the store " + directory + " to " + copy, e);
        } finally {
            endUse();
        }
    }

    /// Reads all data files and compares the checksums of their blocks. Blocks.
    ///
    /// @throws LogException if a file is not what was written, or cannot be read
    public void verifyFiles() {
        beginUse();
        try {
            database.verifyChecksum();
        } catch (RocksDBException e) {
            throw RocksFailure.of("checking the files of the store " + directory, e);
        } finally {
            endUse();
        }
    }

    /// Space of the data files of each table on the disk, in bytes. What has come since the log was
    /// opened may still be in memory and in the write-ahead log only.
    ///
    /// @throws LogException if that is not known
    public Map<Table, Long> fileBytes() {
        beginUse();
        try {
            Map<Table, Long> bytes = new EnumMap<>(Table.class);
            for (Table table : Table.values()) {
                bytes.put(
                        table,
                        database.getLongProperty(family(table), "rocksdb.total-sst-files-size"));
            }
            return bytes;
        } catch (RocksDBException e) {
            throw RocksFailure.of("measuring the store " + directory, e);
        } finally {
            endUse();
        }
    }

    @Override
    public void close() {
        boolean working = committer.close();
        cancelShrinking();
        use.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                closeFiles(working);
            }
        } finally {
            use.writeLock().unlock();
        }
    }

    /// Closing the log does not wait until all files are merged.
    private void cancelShrinking() {
        use.readLock().lock();
        try {
            if (!closed) {
                options.shrinking().setCanceled(true);
            }
        } finally {
            use.readLock().unlock();
        }
    }

    private void closeFiles(boolean working) {
        try {
            if (working) {
                // Not all batches asked for a sync.
                database.syncWal();
                logEnd.onEnd();
            }
        } catch (IOException | RocksDBException e) {
            throw RocksFailure.of("closing the store " + directory, e);
        } finally {
            closeDatabase();
            options.close();
            directory.close();
        }
    }

    private void closeLogEnd() {
        try {
            logEnd.close();
        } catch (IOException e) {
            LOG.warn("Closing the file that knows the end of the log failed", e);
        }
    }

    /// Writes what is in memory to data files, so that the next start has little to read of the
    /// write-ahead log.
    @Override
    public void flush() {
        beginUse();
        try (FlushOptions all = new FlushOptions().setWaitForFlush(true)) {
            database.flush(all, families);
        } catch (RocksDBException e) {
            throw RocksFailure.of("writing data files of the store " + directory, e);
        } finally {
            endUse();
        }
    }

    @Override
    public void shrink() {
        flush();
        for (Table table : LARGE) {
            shrink(table);
        }
    }

    private void shrink(Table table) {
        beginUse();
        try {
            database.compactRange(family(table), null, null, options.shrinking());
        } catch (RocksDBException e) {
            throw RocksFailure.of("merging files of the store " + directory, e);
        } finally {
            endUse();
        }
    }

    @Override
    public void merging(boolean allowed) {
        beginUse();
        try {
            MutableColumnFamilyOptions options =
                    MutableColumnFamilyOptions.builder()
                            .setDisableAutoCompactions(!allowed)
                            .build();
            for (Table table : LARGE) {
                database.setOptions(family(table), options);
            }
        } catch (RocksDBException e) {
            throw RocksFailure.of("setting options of the store " + directory, e);
        } finally {
            endUse();
        }
    }

    private void closeDatabase() {
        for (ColumnFamilyHandle family : families) {
            family.close();
        }
        writer.close();
        database.close();
        closeLogEnd();
    }
}
