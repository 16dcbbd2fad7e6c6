package winnow.broker.storage;

import java.nio.file.Path;
import winnow.broker.config.ByteSize;
import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;
import winnow.broker.shard.PreparedLimits;
import winnow.store.rocksdb.RocksSettings;

/// Settings of the storage: where messages of queues and durable subscriptions are kept, and how
/// much memory that takes.
public record StorageConfig(
        @Setting(
                        "directory of the stored messages, made if it is not there; with"
                                + " `--data DIR` it is `DIR/store`; empty: they are kept in memory"
                                + " and lost when the broker stops")
                Path directory,
        @Setting(
                        value =
                                "memory for stored messages that wait, so that they need not be"
                                        + " read from the disk; what is not persistent is written"
                                        + " to the disk when it is used up",
                        min = "1MiB",
                        zero = "an eighth of the largest heap",
                        effective = "effectiveWindowBytes")
                ByteSize window,
        @Setting(
                        value =
                                "memory for all stored messages of a broker without a directory;"
                                        + " above it messages are refused. A destination may have"
                                        + " all but an eighth of what others leave, and so may"
                                        + " those who send: a user, or the address of clients"
                                        + " without users",
                        min = "1MiB",
                        zero = "a quarter of the largest heap",
                        effective = "effectiveMemoryBytes")
                ByteSize memory,
        @Setting(
                        value =
                                "native memory for what is not yet in data files: messages that"
                                        + " are consumed before it is full never reach one; at"
                                        + " most a sixteenth of the disk",
                        min = "1MiB")
                ByteSize writeBuffer,
        @Setting(
                        value =
                                "size of the write-ahead log above which data files are written;"
                                        + " it bounds the time of a start; at most an eighth of"
                                        + " the disk",
                        min = "1MiB")
                ByteSize writeAheadLog,
        @Setting(value = "native memory for blocks that were read from data files", min = "1MiB")
                ByteSize blockCache,
        @Setting(
                        value =
                                "space that is kept free on the disk for what consumers cause: with"
                                        + " less free, messages to store are refused until there"
                                        + " is a quarter more",
                        min = "1MiB",
                        zero =
                                "the larger of 5 % of the disk and 256 MiB, but at most a quarter"
                                        + " of the disk")
                ByteSize diskReserve,
        @Setting(
                        value =
                                "backups that the broker keeps beside its store; each holds files"
                                        + " that the store may not need any more",
                        unit = "backups",
                        min = "0",
                        max = "1000")
                int maxBackups,
        @Setting(
                        value =
                                "distributed transactions that may be prepared and wait for the"
                                        + " decision of their transaction manager; above it a"
                                        + " transaction is rolled back instead of prepared. A user,"
                                        + " or the address of clients without users, may have all"
                                        + " but an eighth of what others leave",
                        unit = "transactions",
                        min = "1",
                        max = "1000000")
                int maxPrepared,
        @Setting(
                        value =
                                "memory for what prepared transactions"
                                        + " (`storage.max-prepared`) send, and for what they have"
                                        + " received. A user, or the address of clients without"
                                        + " users, may have all but an eighth of what others leave",
                        min = "1KiB",
                        zero = "a sixteenth of the largest heap",
                        effective = "effectivePreparedBytes")
                ByteSize prepared,
        @Setting(
                        value =
                                "memory for queues and stored subscriptions, without"
                                        + " their messages: about 2 KiB each, and more with long"
                                        + " selectors; when it is used up, queues that nobody uses"
                                        + " leave, and if there are none, new ones are refused. The"
                                        + " queues and subscriptions of a user, or of the address"
                                        + " of clients without users, may have all but an eighth of"
                                        + " what others leave. Half as much again is for telling"
                                        + " messages that wait from those among them that have"
                                        + " gone; a destination may have half of what others leave"
                                        + " of it, and in any case as much as it takes itself: all"
                                        + " together can take two and a half times this memory",
                        min = "1MiB",
                        zero = "an eighth of the largest heap",
                        effective = "effectiveDestinationBytes")
                ByteSize destinations) {
    private static final int HEAP_PART = 8;
    private static final int MEMORY_PART = 4;
    private static final int PREPARED_PART = 16;

    /// Parts of the disk that the write buffer, and so the first write-ahead log, and all
    /// write-ahead logs take at most.
    private static final int BUFFER_PART = 16;

    private static final int LOG_PART = 8;
    private static final long LEAST_BYTES = 1 << 20;

    public static final StorageConfig DEFAULTS =
            new StorageConfig(
                    Path.of(""),
                    new ByteSize(0),
                    new ByteSize(0),
                    new ByteSize(RocksSettings.defaults().writeBufferBytes()),
                    new ByteSize(RocksSettings.defaults().writeAheadLogBytes()),
                    new ByteSize(RocksSettings.defaults().blockCacheBytes()),
                    new ByteSize(0),
                    4,
                    PreparedLimits.DEFAULTS.transactions(),
                    new ByteSize(0),
                    new ByteSize(0));

    public StorageConfig {
        Ranges.check(
                StorageConfig.class,
                directory,
                window,
                memory,
                writeBuffer,
                writeAheadLog,
                blockCache,
                diskReserve,
                maxBackups,
                maxPrepared,
                prepared,
                destinations);
    }

    /// True if messages survive the broker.
    public boolean durable() {
        return !directory.toString().isEmpty();
    }

    /// The same for a broker that keeps nothing.
    public StorageConfig inMemory() {
        return new StorageConfig(
                Path.of(""),
                window,
                memory,
                writeBuffer,
                writeAheadLog,
                blockCache,
                diskReserve,
                maxBackups,
                maxPrepared,
                prepared,
                destinations);
    }

    /// Bytes of messages that are kept in memory.
    public long effectiveWindowBytes() {
        return window.bytes() > 0 ? window.bytes() : Runtime.getRuntime().maxMemory() / HEAP_PART;
    }

    /// Bytes that a broker without a directory keeps.
    public long effectiveMemoryBytes() {
        return memory.bytes() > 0 ? memory.bytes() : Runtime.getRuntime().maxMemory() / MEMORY_PART;
    }

    /// Bytes that prepared transactions may take.
    public long effectivePreparedBytes() {
        return prepared.bytes() > 0
                ? prepared.bytes()
                : Runtime.getRuntime().maxMemory() / PREPARED_PART;
    }

    /// Bytes that queues and stored subscriptions may take.
    public long effectiveDestinationBytes() {
        return destinations.bytes() > 0
                ? destinations.bytes()
                : Runtime.getRuntime().maxMemory() / HEAP_PART;
    }

    /// Limits of what may be prepared.
    public PreparedLimits preparedLimits() {
        return new PreparedLimits(maxPrepared, effectivePreparedBytes());
    }

    /// Settings that fit a disk: on a small one most of the space is for messages.
    ///
    /// @param diskBytes its size
    public RocksSettings rocksSettings(long diskBytes) {
        RocksSettings defaults = RocksSettings.defaults();
        return new RocksSettings(
                Math.max(LEAST_BYTES, Math.min(writeBuffer.bytes(), diskBytes / BUFFER_PART)),
                Math.max(LEAST_BYTES, Math.min(writeAheadLog.bytes(), diskBytes / LOG_PART)),
                blockCache.bytes(),
                defaults.blockBytes(),
                defaults.groupBytes(),
                defaults.backgroundJobs());
    }
}
