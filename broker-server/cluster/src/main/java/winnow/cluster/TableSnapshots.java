package winnow.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.store.ShardLog;
import winnow.store.rocksdb.StoreCopy;

/// Copies of the tables as they were at an entry of the log, each in a directory `snapshot.T_I`
/// with the entry's term and index. The log behind the newest one is enough to go on from it.
final class TableSnapshots implements StateMachineStorage {
    private static final Logger LOG = LoggerFactory.getLogger(TableSnapshots.class);
    private static final Pattern NAME = Pattern.compile("snapshot\\.(\\d+)_(\\d+)");
    private static final String UNFINISHED = "unfinished";

    /// Copies that stay in any case.
    private static final int KEPT = 2;

    /// Longest time between two parts of a copy that is on its way to another node.
    private static final long SENDING_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final LongSupplier clock;
    private final AtomicReference<Sending> sending = new AtomicReference<>(Sending.NONE);
    private volatile @Nullable File directory;

    /// The oldest copy that is on its way to another node. It stays, and so do newer ones.
    ///
    /// @param index of the copy
    /// @param nanos time of the last part
    private record Sending(long index, long nanos) {
        static final Sending NONE = new Sending(Long.MAX_VALUE, 0);

        boolean isOver(long now) {
            return now - nanos > SENDING_NANOS;
        }

        Sending with(Sending part) {
            return index < part.index && !isOver(part.nanos) ? this : part;
        }
    }

    TableSnapshots() {
        this(System::nanoTime);
    }

    TableSnapshots(LongSupplier clock) {
        this.clock = clock;
    }

    @Override
    public void init(RaftStorage storage) throws IOException {
        init(storage.getStorageDir().getStateMachineDir());
    }

    void init(File made) throws IOException {
        Files.createDirectories(made.toPath());
        directory = made;
    }

    private Path directory() {
        return Objects.requireNonNull(directory, "not initialized").toPath();
    }

    @Override
    public @Nullable File getSnapshotDir() {
        return directory;
    }

    /// Copies the tables. Blocks.
    void make(ShardLog tables, TermIndex at) {
        Path unfinished = directory().resolve(UNFINISHED);
        StoreCopy.remove(unfinished);
        tables.checkpoint(unfinished);
        StoreCopy.rename(
                unfinished, directory().resolve("snapshot." + at.getTerm() + "_" + at.getIndex()));
    }

    /// Replaces tables that are not open by the newest copy. Blocks.
    ///
    /// @param tables their directory; where it is missing afterwards, this has to be done again
    void restore(Path tables) throws IOException {
        Path newest = all().getLast();
        for (Path file : files(newest)) {
            if (isDigest(file)) {
                Files.delete(file);
            }
        }
        Path incoming = tables.resolveSibling(tables.getFileName() + ".incoming");
        StoreCopy.remove(incoming);
        StoreCopy.copy(newest, incoming, (done, all) -> {});
        StoreCopy.remove(tables);
        StoreCopy.rename(incoming, tables);
    }

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        try {
            List<Path> all = directory == null ? List.of() : all();
            if (all.isEmpty()) {
                return null;
            }
            List<FileInfo> files = new ArrayList<>();
            for (Path file : files(all.getLast())) {
                if (!isDigest(file) && !file.getFileName().toString().equals("lock")) {
                    files.add(new FileInfo(file, null));
                }
            }
            return new FileListSnapshotInfo(files, position(all.getLast())) {
                @Override
                public List<FileInfo> getFiles() {
                    // The engine asks for them before each part that it sends.
                    sending.accumulateAndGet(
                            new Sending(getIndex(), clock.getAsLong()), Sending::with);
                    return super.getFiles();
                }
            };
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /// Index of the newest copy, -1 if there is none.
    long newestIndex() throws IOException {
        List<Path> all = all();
        return all.isEmpty() ? -1 : position(all.getLast()).getIndex();
    }

    /// Size of the newest copy, 0 if there is none.
    long newestBytes() {
        long bytes = 0;
        try {
            List<Path> all = directory == null ? List.of() : all();
            for (Path file : all.isEmpty() ? List.<Path>of() : files(all.getLast())) {
                bytes += Files.size(file);
            }
        } catch (IOException e) {
            LOG.debug("The snapshot is being replaced", e);
        }
        return bytes;
    }

    /// Time of the newest copy, in ms since 1970; 0 if there is none.
    long newestMillis() {
        try {
            List<Path> all = directory == null ? List.of() : all();
            return all.isEmpty() ? 0 : Files.getLastModifiedTime(all.getLast()).toMillis();
        } catch (IOException e) {
            return 0;
        }
    }

    /// Received files have their digests beside them.
    private static boolean isDigest(Path file) {
        return file.toString().endsWith(".md5");
    }

    private static List<Path> files(Path snapshot) throws IOException {
        try (Stream<Path> tree = Files.walk(snapshot)) {
            return tree.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /// From old to new.
    private List<Path> all() throws IOException {
        try (Stream<Path> entries = Files.list(directory())) {
            return entries.filter(path -> NAME.matcher(name(path)).matches())
                    .sorted(Comparator.comparing(TableSnapshots::position))
                    .toList();
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private static TermIndex position(Path snapshot) {
        Matcher name = NAME.matcher(name(snapshot));
        if (!name.matches()) {
            throw new IllegalArgumentException(snapshot + ": no name of a snapshot");
        }
        return TermIndex.valueOf(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)));
    }

    @Override
    public void format() {
        // A new directory needs nothing.
    }

    @Override
    public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) throws IOException {
        List<Path> all = all();
        Sending now = sending.get();
        long first = now.isOver(clock.getAsLong()) ? Long.MAX_VALUE : now.index();
        for (Path old : all.subList(0, Math.max(0, all.size() - KEPT))) {
            if (position(old).getIndex() < first) {
                StoreCopy.remove(old);
            }
        }
    }
}
