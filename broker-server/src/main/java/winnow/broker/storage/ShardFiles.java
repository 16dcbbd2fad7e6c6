package winnow.broker.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Shard;
import winnow.broker.shard.ShardConfig;
import winnow.broker.shard.ShardRecovery;
import winnow.broker.shard.ShardTime;
import winnow.store.LogException;
import winnow.store.MemoryShardLog;
import winnow.store.ShardLog;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;
import winnow.store.rocksdb.StoreCopy;

/// Opens a shard from its files, also again when its log has failed. Owned by the shard's thread.
final class ShardFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ShardFiles.class);

    /// Bytes that must be writable before a store is opened again: a moment of messages.
    private static final int PROBE_BYTES = 16 << 20;

    private final StorageConfig config;
    private final ShardConfig rules;
    private final IntFunction<String> propertyNames;
    private final Executor thread;
    private final Executor completions;
    private final Executor readers;
    private final @Nullable LogSource source;
    private final LogMeter meter = new LogMeter();
    private @Nullable FailureMark mark;

    /// Room that was asked for since the log failed, 0 if enough was there.
    private long toldBytes;

    /// Null if there are files.
    private @Nullable MemoryShardLog memory;

    /// @param thread of the shard
    /// @param completions the same, for what the log completes
    /// @param source of the log; null if it is one of its own
    ShardFiles(
            StorageConfig config,
            ShardConfig rules,
            IntFunction<String> propertyNames,
            Executor thread,
            Executor completions,
            Executor readers,
            @Nullable LogSource source) {
        this.source = source;
        this.config = config;
        this.rules = rules;
        this.propertyNames = propertyNames;
        this.thread = thread;
        this.completions = completions;
        this.readers = readers;
    }

    /// A shard and the log that it writes.
    record Opened(ShardLog log, Shard shard) {}

    /// Opens the files and reads what is there. Blocks.
    ///
    /// @param time that of the shard that was there before, or a new one
    /// @throws LogException if they cannot be used
    Opened open(ShardTime time) {
        ShardLog log = new MeasuredLog(openLog(), meter);
        boolean opened = false;
        try {
            FailureMark known =
                    config.durable() && source == null ? new FailureMark(config.directory()) : null;
            boolean failedBefore = known != null && known.isSet();
            mark = known;
            // Rows on the heap cost memory until they are deleted, and nobody reads around them.
            ShardConfig fitting = config.durable() ? rules : rules.withDeletedTogether(1);
            Shard shard =
                    ShardRecovery.open(
                            log, fitting, thread, readers, propertyNames, time, failedBefore);
            MemoryShardLog onHeap = memory;
            if (onHeap != null) {
                shard.memory()
                        .limit(
                                onHeap::bytes,
                                rules.heap().part("storage.memory", config.effectiveMemoryBytes()));
            }
            if (failedBefore) {
                shard.sync(new Clearing());
            }
            opened = true;
            return new Opened(log, shard);
        } finally {
            if (!opened) {
                log.close();
            }
        }
    }

    /// Forgets the failure when what it means is on the disk.
    private final class Clearing implements Outcome {
        @Override
        public void onDone() {
            if (mark != null) {
                mark.clear();
            }
        }

        @Override
        public void onFailed(LogException failure) {
            LOG.debug("The failure is remembered", failure);
        }
    }

    private ShardLog openLog() {
        if (source != null) {
            return source.open(completions);
        }
        if (config.durable()) {
            RocksSettings settings = config.rocksSettings(diskBytes());
            ShardLog log = RocksShardLog.open(config.directory(), completions, settings);
            removeProbe();
            return log;
        }
        LOG.info(
                "Queues and durable subscriptions are kept in memory and lost when the broker"
                        + " stops: storage.directory is not set");
        MemoryShardLog made = new MemoryShardLog(completions);
        memory = made;
        return made;
    }

    /// Size of the disk on which the directory is, or will be.
    private long diskBytes() {
        Path existing = config.directory().toAbsolutePath();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        try {
            return Files.getFileStore(existing).getTotalSpace();
        } catch (IOException e) {
            LOG.debug("The size of the disk of {} is not known", existing, e);
            return Long.MAX_VALUE;
        }
    }

    private Path probe() {
        return config.directory().resolve("probe");
    }

    /// A process that ended while it tried the disk has left it behind.
    private void removeProbe() {
        try {
            Files.deleteIfExists(probe());
        } catch (IOException e) {
            LOG.warn("{} cannot be removed: {}", probe(), e.getMessage());
        }
    }

    /// Counts what the logs are given.
    LogMeter meter() {
        return meter;
    }

    /// The log has failed.
    void onFailed() {
        toldBytes = 0;
        if (mark != null) {
            mark.set();
        }
    }

    /// True if the disk takes bytes again, and so many that a log can be opened: one that fails
    /// then cannot even be read any more. Blocks.
    boolean writable() {
        try {
            // Who gives the log gives another one when it can.
            return source == null && hasRoom() && takesBytes();
        } catch (IOException | LogException e) {
            LOG.debug("The store's disk still takes nothing: {}", e.getMessage());
            return false;
        }
    }

    /// Rows in the write-ahead log go to data files, which have an index, too; only then is its
    /// space given back.
    private boolean hasRoom() throws IOException {
        long log = StoreCopy.writeAheadLogBytes(config.directory());
        long needed = Math.max(PROBE_BYTES, log + log / 2);
        long found = Files.getFileStore(config.directory()).getUsableSpace();
        if (found < needed && toldBytes != needed) {
            toldBytes = needed;
            LOG.warn(
                    "The store is opened again when {} bytes of the disk of {} are free, found {}",
                    needed,
                    config.directory(),
                    found);
        }
        return found >= needed;
    }

    private boolean takesBytes() throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        probe(),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.allocate(PROBE_BYTES);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        } finally {
            Files.deleteIfExists(probe());
        }
        return true;
    }
}
