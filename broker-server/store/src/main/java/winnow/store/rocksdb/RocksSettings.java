package winnow.store.rocksdb;

/// Memory and sizes of a log in RocksDB.
///
/// @param writeBufferBytes memory for rows that are not yet in data files. A row that is deleted
///   before its buffer is written out never reaches a data file: 256 MiB are 250,000 messages of 1
///   KiB. Up to twice as much is used while buffers are written out.
/// @param writeAheadLogBytes size of the write-ahead log above which buffers are written out. It
///   bounds what is read again at the next start: 512 MiB take about a second.
/// @param blockCacheBytes memory for blocks of data files, their indexes and filters included, so
///   that it does not grow with the backlog
/// @param blockBytes size of a block of a data file: the unit of reading and of checksums. 32 KiB
///   hold some 30 messages, which a backlog's reader takes together.
/// @param groupBytes size above which a group of batches takes no more. 4 MiB are far above what a
///   disk needs to be busy, and bound the copy that is made of a group.
/// @param backgroundJobs threads that write out and merge, of all logs of the process together
public record RocksSettings(
        long writeBufferBytes,
        long writeAheadLogBytes,
        long blockCacheBytes,
        int blockBytes,
        int groupBytes,
        int backgroundJobs) {
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    public RocksSettings {
        atLeast(MIB, writeBufferBytes, "writeBufferBytes");
        atLeast(MIB, writeAheadLogBytes, "writeAheadLogBytes");
        atLeast(MIB, blockCacheBytes, "blockCacheBytes");
        atLeast(KIB, blockBytes, "blockBytes");
        atLeast(1, groupBytes, "groupBytes");
        atLeast(1, backgroundJobs, "backgroundJobs");
    }

    /// Settings for a broker with a gigabyte of memory beside its heap.
    public static RocksSettings defaults() {
        return new RocksSettings(256L * MIB, 512L * MIB, 128L * MIB, 32 * KIB, 4 * MIB, 2);
    }

    /// Settings that stay within some memory beside the heap, buffers that are being written out
    /// included; [#defaults] for 640 MiB and more. It is not less than for 10 MiB.
    ///
    /// @param bytes of memory
    public static RocksSettings within(long bytes) {
        long writeBuffer = Math.clamp(bytes * 2 / 5, 4L * MIB, 256L * MIB);
        long blockCache = Math.clamp(bytes / 5, 2L * MIB, 128L * MIB);
        return new RocksSettings(
                writeBuffer,
                Math.max(2 * writeBuffer, 16L * MIB),
                blockCache,
                32 * KIB,
                4 * MIB,
                2);
    }

    private static void atLeast(long least, long found, String name) {
        if (found < least) {
            throw new IllegalArgumentException(
                    name + ": expected at least " + least + ", found " + found);
        }
    }
}
