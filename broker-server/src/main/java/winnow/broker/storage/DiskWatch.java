package winnow.broker.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;
import winnow.broker.metrics.StorageFigures;
import winnow.store.LogException;
import winnow.store.ShardLog;

/// Watches what is free on the disk of a store, each second and whenever much was written, on a
/// thread of its own, because a disk that hangs may not answer: below the [DiskReserve] messages
/// are refused, and the space of those that are consumed is given back as soon as that can be done.
/// Thread-safe.
final class DiskWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// The disk is looked at again when so much of the reserve may have been written.
    private static final int LOOK_PART = 16;

    private static final long MAX_LOOK_BYTES = 64L << 20;

    private final Path directory;
    private final DiskReserve reserve;
    private final LongSupplier messageBytes;
    private final Supplier<CompletableFuture<ShardLog>> log;
    private final Consumer<Boolean> onSparing;
    private final Thread thread = new Thread(this::run, "winnow-disk");
    private volatile StorageFigures.Disk disk = StorageFigures.Disk.NONE;
    private volatile @Nullable String refusal;
    private volatile boolean critical;
    private volatile boolean closed;

    /// Bytes that were written when the disk is looked at again. Of the shard's thread.
    private long nextLookBytes;

    /// Work that the log does now. Of the watching thread.
    private boolean merging = true;

    private boolean sparing;
    private volatile boolean working;
    private volatile boolean renewed;
    private boolean told;

    /// True if a fault ended the last look, which is logged once.
    private boolean faulty;

    /// Looks at once. Blocks.
    ///
    /// @param reserveBytes what is kept free, 0 for what suits the disk
    /// @param messageBytes bytes of all messages that wait
    /// @param log as it is; fails if it takes nothing
    /// @param onSparing told whether space is to be given back at once
    DiskWatch(
            Path directory,
            long reserveBytes,
            LongSupplier messageBytes,
            Supplier<CompletableFuture<ShardLog>> log,
            Consumer<Boolean> onSparing) {
        this.directory = directory;
        this.reserve = new DiskReserve(reserveBytes);
        this.messageBytes = messageBytes;
        this.log = log;
        this.onSparing = onSparing;
        thread.setDaemon(true);
        look();
    }

    /// Begins to watch.
    void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(this, INTERVAL_NANOS);
            lookAgain();
        }
    }

    /// A fault ends this look, and not the watch: a disk that nobody watches fills.
    private void lookAgain() {
        try {
            look();
            faulty = false;
        } catch (RuntimeException | Error e) {
            FatalErrors.endIfFatal(e);
            if (!faulty) {
                LOG.error("The disk of {} could not be watched; it is tried again", directory, e);
            }
            faulty = true;
        }
    }

    private void look() {
        try {
            DiskSpace space = DiskSpace.of(directory);
            long waiting = messageBytes.getAsLong();
            boolean before = reserve.low();
            reserve.look(space, waiting);
            told = false;
            publish(space, before);
            if (thread.isAlive()) {
                act(space, waiting);
            }
        } catch (IOException | LogException | UncheckedIOException e) {
            if (!told) {
                told = true;
                LOG.warn(
                        "What is free on the disk of {} is not known: {}", directory, e.toString());
            }
        }
    }

    private void publish(DiskSpace space, boolean before) {
        disk = new StorageFigures.Disk(space.freeBytes(), reserve.reserveBytes(), reserve.low());
        critical = reserve.critical();
        refusal = reserve.low() ? describe(space) : null;
        if (reserve.low() && !before) {
            LOG.error("No more messages are stored: {}", refusal);
        } else if (before && !reserve.low()) {
            LOG.info(
                    "Messages are stored again: {} bytes are free on the disk of {}",
                    space.freeBytes(),
                    directory);
        }
    }

    private String describe(DiskSpace space) {
        return "the disk of %s is nearly full: %d bytes are free, and storage.disk-reserve keeps %d"
                        .formatted(directory, space.freeBytes(), reserve.reserveBytes())
                + " for consumers. Messages are taken again when "
                + reserve.resumeBytes()
                + " are free: consume or purge some, remove backups (winnow backup delete) or files"
                + " that are not the broker's, or enlarge the disk";
    }

    /// Does for the log what the space allows.
    private void act(DiskSpace space, long waiting) {
        if (renewed) {
            renewed = false;
            merging = true;
            sparing = false;
        }
        if (sparing != reserve.near()) {
            sparing = reserve.near();
            onSparing.accept(sparing);
        }
        if (merging != reserve.merging()) {
            merging = reserve.merging();
            boolean allowed = merging;
            withLog(open -> open.merging(allowed), () -> {});
        }
        long now = System.nanoTime();
        if (working) {
            return;
        }
        boolean shrinks = reserve.shrinks(space, waiting, now);
        if (shrinks || reserve.flushes(space, now)) {
            working = true;
            withLog(shrinks ? ShardLog::shrink : ShardLog::flush, () -> working = false);
        }
    }

    /// Does something with the log on a thread of its own.
    private void withLog(Consumer<ShardLog> action, Runnable done) {
        log.get()
                .thenAcceptAsync(
                        action,
                        task -> Thread.ofPlatform().daemon().name("winnow-merge").start(task))
                .whenComplete((none, failure) -> {
                    if (failure != null) {
                        Throwable cause =
                                failure instanceof CompletionException
                                        ? failure.getCause()
                                        : failure;
                        LOG.warn(
                                "The store's files could not be merged: {}", String.valueOf(cause));
                    }
                    done.run();
                });
    }

    /// So much has been written to the log since it was opened. Shard's thread.
    void onWritten(long bytes) {
        if (bytes >= nextLookBytes) {
            long step = disk.reserveBytes() / LOOK_PART;
            nextLookBytes = bytes + Math.min(MAX_LOOK_BYTES, step);
            LockSupport.unpark(thread);
        }
    }

    /// There is another log, which knows nothing of the disk.
    void onReopened() {
        renewed = true;
    }

    /// Reason why no more messages are stored, null if they are.
    @Nullable String refusal(DiskUse use) {
        return use == DiskUse.WITH_CONSUMED && !critical ? null : refusal;
    }

    /// Space as it was read last.
    StorageFigures.Disk figures() {
        return disk;
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
