package winnow.store.rocksdb;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ChecksumType;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksObject;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;
import winnow.store.Durability;
import winnow.store.Table;

/// The options of one open database, in native memory: closed after it.
final class RocksOptions implements AutoCloseable {
    private static final int INFO_LOG_FILES = 5;
    private static final long INFO_LOG_BYTES = 10L << 20;

    private final List<RocksObject> natives = new ArrayList<>();
    private final RocksSettings settings;
    private final DBOptions database;
    private final WriteOptions synced;
    private final WriteOptions written;
    private final WriteOptions unlogged;
    private final ReadOptions gets;
    private final CompactRangeOptions shrinking;
    private final Cache blockCache;

    RocksOptions(RocksSettings settings) {
        this.settings = settings;
        database = closedLater(databaseOptions());
        synced = closedLater(new WriteOptions().setSync(true));
        written = closedLater(new WriteOptions().setSync(false));
        unlogged = closedLater(new WriteOptions().setSync(false).setDisableWAL(true));
        gets = closedLater(new ReadOptions());
        shrinking =
                closedLater(
                        new CompactRangeOptions()
                                .setExclusiveManualCompaction(false)
                                .setBottommostLevelCompaction(
                                        BottommostLevelCompaction.kForceOptimized));
        blockCache = closedLater(new LRUCache(settings.blockCacheBytes()));
    }

    private <T extends RocksObject> T closedLater(T object) {
        natives.add(object);
        return object;
    }

    DBOptions database() {
        return database;
    }

    WriteOptions write(Durability durability) {
        return durability == Durability.SYNCED ? synced : written;
    }

    /// For rows that need not outlive the process.
    WriteOptions unlogged() {
        return unlogged;
    }

    ReadOptions gets() {
        return gets;
    }

    /// For merging all files, so that nothing is left of rows that were deleted.
    CompactRangeOptions shrinking() {
        return shrinking;
    }

    /// For one scan; the caller closes it. RocksDB reads ahead more and more while a scan goes on:
    /// batches of 256 rows of 1 KiB are as fast so as with 256 KiB from the beginning, whether the
    /// files are in the system's cache or not, and faster than with 2 MiB.
    ReadOptions newScan() {
        return new ReadOptions()
                // A backlog is read once. It must not displace what is read again and again.
                .setFillCache(false)
                // Deleting files that the scan was the last to use is not the reader's work.
                .setBackgroundPurgeOnIteratorCleanup(true);
    }

    private DBOptions databaseOptions() {
        Properties untyped = new Properties();
        // Each write-ahead log tells which one was before it, how long it was and how it ended.
        untyped.setProperty("track_and_verify_wals", "true");
        DBOptions options = DBOptions.getDBOptionsFromProps(untyped);
        if (options == null) {
            throw new IllegalStateException("this RocksDB does not know the options " + untyped);
        }
        return options.setCreateMissingColumnFamilies(true)
                // StoreDirectory cuts off a torn end, after it has made sure that it is one.
                // Everything else that RocksDB cannot read is damage.
                .setWalRecoveryMode(WALRecoveryMode.AbsoluteConsistency)
                // A recycled file would hold old records behind its end, which look valid.
                .setRecycleLogFileNum(0)
                .setMaxTotalWalSize(settings.writeAheadLogBytes())
                .setDbWriteBufferSize(settings.writeBufferBytes())
                .setParanoidChecks(true)
                // What a failed write or sync has left behind is not known: never try again.
                .setMaxBgErrorResumeCount(0)
                // All data files stay open: what is damaged in their ends is found at the start.
                .setMaxOpenFiles(-1)
                .setMaxBackgroundJobs(settings.backgroundJobs())
                // Data files are written to the disk bit by bit, not all at once at their end,
                // when a sync of the write-ahead log would wait for it.
                .setBytesPerSync(1L << 20)
                .setInfoLogLevel(InfoLogLevel.INFO_LEVEL)
                .setMaxLogFileSize(INFO_LOG_BYTES)
                .setKeepLogFileNum(INFO_LOG_FILES)
                .setStatsDumpPeriodSec(0)
                .setStatsPersistPeriodSec(0);
    }

    /// The default column family, which every database has, then that of each table.
    List<ColumnFamilyDescriptor> columnFamilies() {
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        families.add(
                new ColumnFamilyDescriptor(
                        RocksDB.DEFAULT_COLUMN_FAMILY,
                        tableOptions(CompressionType.NO_COMPRESSION)));
        for (Table table : Table.values()) {
            ColumnFamilyOptions options =
                    switch (table) {
                        // Applications compress large bodies if it is worth while.
                        case BODIES, PARTS -> tableOptions(CompressionType.NO_COMPRESSION);
                        default -> tableOptions(CompressionType.LZ4_COMPRESSION);
                    };
            families.add(new ColumnFamilyDescriptor(name(table), options));
        }
        return families;
    }

    private static byte[] name(Table table) {
        return table.name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII);
    }

    private ColumnFamilyOptions tableOptions(CompressionType compression) {
        BlockBasedTableConfig format =
                new BlockBasedTableConfig()
                        .setBlockCache(blockCache)
                        .setBlockSize(settings.blockBytes())
                        .setCacheIndexAndFilterBlocks(true)
                        .setCacheIndexAndFilterBlocksWithHighPriority(true)
                        .setPinL0FilterAndIndexBlocksInCache(true)
                        .setChecksumType(ChecksumType.kXXH3)
                        // Most rows that are asked for and not there are asked for by their key:
                        // identifiers of messages that come for the first time.
                        .setFilterPolicy(closedLater(new BloomFilter(10)));
        return closedLater(
                new ColumnFamilyOptions()
                        // One buffer may take all; the sum is what is bounded.
                        .setWriteBufferSize(settings.writeBufferBytes())
                        // With two, batches would wait until one has been written out.
                        .setMaxWriteBufferNumber(4)
                        .setCompressionType(compression)
                        .setTableFormatConfig(format));
    }

    @Override
    public void close() {
        for (RocksObject object : natives.reversed()) {
            object.close();
        }
    }
}
