package winnow.broker.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FatalErrors;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.ShardLog;
import winnow.store.rocksdb.StoreCopy;

/// Copies of a store that is in use, each in a directory of the folder `backups` beside the store.
/// One is made or removed at a time, on a thread of its own. Thread-safe.
///
/// A copy gets its name when it is whole. Until then, and while it is removed, it has a name that
/// no backup can have.
public final class Backups {
    private static final Logger LOG = LoggerFactory.getLogger(Backups.class);
    private static final String UNFINISHED = ".unfinished";
    private static final String STORE = "store";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");

    /// Bytes that are left free for messages, whatever a copy takes.
    private static final long RESERVE_BYTES = 64L << 20;

    private final StorageConfig config;
    private final Path store;
    private final Path folder;
    private final Supplier<CompletableFuture<ShardLog>> log;

    /// Name of the one that is made or removed.
    private final AtomicReference<@Nullable String> busy = new AtomicReference<>();

    private volatile @Nullable Failure lastFailure;

    /// Reason why a backup could not be made.
    private record Failure(String name, RuntimeException cause) {}

    /// @param log fails if nothing can be copied
    Backups(StorageConfig config, Supplier<CompletableFuture<ShardLog>> log) {
        this.config = config;
        this.store = config.directory().toAbsolutePath();
        this.folder = store.resolveSibling("backups");
        this.log = log;
    }

    /// @throws IllegalArgumentException saying what is wrong with a name
    private static void check(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "name: expected 1 to 64 letters, digits, '-' and '_' that begin with a letter"
                            + " or digit, found '"
                            + name
                            + "'");
        }
    }

    private Path directory(String name) {
        return folder.resolve(name);
    }

    private Path unfinished(String name) {
        return folder.resolve(name + UNFINISHED);
    }

    /// Begins to copy the store; everything that was confirmed before is in the copy.
    ///
    /// @return the backup when it is complete. Fails with a [LogException] if the store cannot be
    ///   copied, and with an [IllegalStateException] if there must not be a backup of that name
    /// @throws IllegalArgumentException if that is no name
    /// @throws IllegalStateException if another one is made or removed
    public CompletionStage<Backup> make(String name) {
        check(name);
        if (!config.durable()) {
            throw new IllegalStateException(
                    "expected a store on the disk, but messages are kept in memory"
                            + " (storage.directory)");
        }
        begin(name);
        lastFailure = null;
        return log.get()
                .thenApplyAsync(open -> make(name, open), Backups::run)
                .whenComplete((made, failure) -> end(name, failure));
    }

    private static void run(Runnable task) {
        Thread.ofPlatform().daemon().name("winnow-backup").start(task);
    }

    private void begin(String name) {
        String other = busy.compareAndExchange(null, name);
        if (other != null) {
            throw new IllegalStateException(
                    "backup '" + other + "' is being made or removed; try again when it is done");
        }
    }

    private void end(String name, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            FatalErrors.endIfFatal(cause);
            lastFailure = new Failure(name, asException(cause));
            LOG.warn("Backup '{}' was not made: {}", name, cause.getMessage());
        }
        busy.set(null);
    }

    private static RuntimeException asException(Throwable cause) {
        return cause instanceof RuntimeException known
                ? known
                : new LogException(Reason.IO, "the backup has failed: " + cause, cause);
    }

    private Backup make(String name, ShardLog open) {
        long begin = System.nanoTime();
        removeUnfinished();
        List<String> names = names();
        if (names.contains(name)) {
            throw new IllegalStateException("there is a backup '" + name + "' already");
        }
        if (names.size() >= config.maxBackups()) {
            throw new IllegalStateException(
                    "there are "
                            + names.size()
                            + " backups, and storage.max-backups is "
                            + config.maxBackups()
                            + ": remove one first");
        }
        checkSpace();
        Path unfinished = unfinished(name);
        try {
            open.checkpoint(unfinished.resolve(STORE));
            StoreCopy.rename(unfinished, directory(name));
        } catch (RuntimeException e) {
            removeAfter(e, unfinished);
            throw e;
        }
        Backup made = describe(name);
        LOG.info(
                "Made backup {} in {} ms",
                made.directory(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        return made;
    }

    private static void removeAfter(RuntimeException failure, Path unfinished) {
        try {
            StoreCopy.remove(unfinished);
        } catch (LogException e) {
            failure.addSuppressed(e);
        }
    }

    /// Removes what a broker that ended in between has left behind.
    private void removeUnfinished() {
        for (Path path : entries()) {
            if (path.toString().endsWith(UNFINISHED)) {
                StoreCopy.remove(path);
            }
        }
    }

    private void checkSpace() {
        long needed = StoreCopy.checkpointBytes(store) + RESERVE_BYTES;
        long found;
        try {
            found = Files.getFileStore(store).getUsableSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(store + " cannot be looked at", e);
        }
        if (found < needed) {
            throw new LogException(
                    Reason.NO_SPACE,
                    "a backup may take %d bytes of the disk of %s: expected so many to be free,"
                                    .formatted(needed, folder)
                            + " found "
                            + found);
        }
    }

    private List<Path> entries() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " cannot be read", e);
        }
    }

    private List<String> names() {
        return entries().stream()
                .map(path -> String.valueOf(path.getFileName()))
                .filter(name -> NAME.matcher(name).matches())
                .toList();
    }

    /// Backups that are there, by name, and the one that is being made. Blocks.
    public List<Backup> list() {
        List<Backup> all = new ArrayList<>();
        if (!config.durable()) {
            return all;
        }
        names().forEach(name -> find(name).ifPresent(all::add));
        String current = busy.get();
        if (current != null && all.stream().noneMatch(one -> one.name().equals(current))) {
            all.add(underWay(current));
            all.sort((one, other) -> one.name().compareTo(other.name()));
        }
        return all;
    }

    /// One that is made or removed.
    public Backup underWay(String name) {
        return new Backup(name, directory(name).toString(), "", 0, false);
    }

    /// The backup of that name, if it is there or is being made. Blocks.
    ///
    /// @throws RuntimeException why it could not be made, if it was the last one to be tried
    public Optional<Backup> find(String name) {
        check(name);
        if (name.equals(busy.get())) {
            return Optional.of(underWay(name));
        }
        if (config.durable() && Files.isDirectory(directory(name))) {
            return Optional.of(describe(name));
        }
        Failure failure = lastFailure;
        if (failure != null && failure.name.equals(name)) {
            throw failure.cause;
        }
        return Optional.empty();
    }

    private Backup describe(String name) {
        Path directory = directory(name);
        try (Stream<Path> tree = Files.walk(directory)) {
            long bytes = tree.mapToLong(path -> path.toFile().length()).sum();
            Instant made = Files.getLastModifiedTime(directory).toInstant();
            String second = made.truncatedTo(ChronoUnit.SECONDS).toString();
            return new Backup(name, directory.toString(), second, bytes, true);
        } catch (IOException | UncheckedIOException e) {
            throw new LogException(Reason.IO, "backup '" + name + "' cannot be read: " + e, e);
        }
    }

    /// Removes a backup. Blocks.
    ///
    /// @return what it was, empty if it was not there
    /// @throws IllegalArgumentException if that is no name
    /// @throws IllegalStateException if another one is made or removed
    /// @throws LogException if that fails
    public Optional<Backup> remove(String name) {
        check(name);
        begin(name);
        try {
            if (!config.durable() || !Files.isDirectory(directory(name))) {
                return Optional.empty();
            }
            Backup removed = describe(name);
            Path unfinished = unfinished(name);
            StoreCopy.remove(unfinished);
            StoreCopy.rename(directory(name), unfinished);
            StoreCopy.remove(unfinished);
            LOG.info("Removed backup {}", removed.directory());
            return Optional.of(removed);
        } finally {
            busy.set(null);
        }
    }
}
