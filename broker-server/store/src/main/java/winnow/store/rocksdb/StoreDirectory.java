package winnow.store.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import winnow.store.LogException;
import winnow.store.LogException.Reason;
import winnow.store.ShardLog;

/// The directory of a log: who uses it, in which format it is, and where RocksDB's files are.
///
/// | entry | content |
/// |---|---|
/// | `lock` | locked while the log is open; holds the number of the process |
/// | `format` | `winnow-store 1`, and `incomplete` behind it until the log has been made |
/// | `end` | what must be in the newest write-ahead log ([LogEnd]) |
/// | `rocksdb` | RocksDB's files |
final class StoreDirectory implements AutoCloseable {
    private static final String FORMAT = "winnow-store " + ShardLog.FORMAT;
    private static final String INCOMPLETE = FORMAT + " incomplete";
    private static final String UNFINISHED_FORMAT = "format.new";

    /// Names that may be there before `format` is: of what its interrupted making has left, and of
    /// what a new file system has.
    private static final Set<String> OF_AN_EMPTY_DIRECTORY =
            Set.of("lock", UNFINISHED_FORMAT, "lost+found");

    /// The directories that this process uses. Where a process closes a file, the system releases
    /// all locks that the process has on it, so `lock` must not be opened a second time.
    private static final Set<Path> IN_USE = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final Path realDirectory;

    private final FileChannel lockFile;
    private final boolean complete;

    private StoreDirectory(Path directory, Path realDirectory, FileChannel lockFile)
            throws IOException {
        this.directory = directory;
        this.realDirectory = realDirectory;
        this.lockFile = lockFile;
        complete = checkFormat();
    }

    /// Locks the directory, which is made if it is missing, and looks at its format.
    ///
    /// @throws LogException if another log has it, or if it is not in this version's format
    static StoreDirectory open(Path directory) {
        try {
            if (!Files.isDirectory(directory)) {
                make(directory);
            }
            Path real = directory.toRealPath();
            if (!IN_USE.add(real)) {
                throw inUse(directory, Long.toString(ProcessHandle.current().pid()));
            }
            boolean opened = false;
            try {
                StoreDirectory made = openUnused(directory, real);
                StorePermissions.tighten(directory);
                opened = true;
                return made;
            } finally {
                if (!opened) {
                    IN_USE.remove(real);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            throw RocksFailure.of("opening the store " + directory, e);
        }
    }

    /// Makes a directory so that a power failure does not take it away again.
    static void make(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            make(parent);
        }
        Files.createDirectory(directory, StorePermissions.ofDirectory(directory));
        if (parent != null) {
            sync(parent);
        }
    }

    private static StoreDirectory openUnused(Path directory, Path real) throws IOException {
        Path path = directory.resolve("lock");
        FileChannel lockFile =
                FileChannel.open(
                        path,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS),
                        StorePermissions.ofFile(path));
        try {
            if (lockFile.tryLock() == null) {
                throw inUse(directory, Files.readString(path, StandardCharsets.UTF_8).strip());
            }
            String process = ProcessHandle.current().pid() + "\n";
            lockFile.truncate(0);
            lockFile.write(ByteBuffer.wrap(process.getBytes(StandardCharsets.UTF_8)), 0);
            return new StoreDirectory(directory, real, lockFile);
        } catch (IOException | RuntimeException e) {
            try {
                lockFile.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private static LogException inUse(Path directory, String process) {
        return new LogException(
                Reason.IO,
                "the store "
                        + directory
                        + " is in use"
                        + (process.isEmpty() ? " by another process" : " by process " + process)
                        + ". Stop that first: a store belongs to one process");
    }

    private static Path formatFile(Path directory) {
        return directory.resolve("format");
    }

    private boolean checkFormat() throws IOException {
        requireOwnFiles(directory);
        if (!Files.exists(formatFile(directory))) {
            writeFormat(directory, INCOMPLETE);
            return false;
        }
        return checkFormat(directory);
    }

    /// Demands a directory that is empty or holds a log of this version.
    static void requireOwnFiles(Path directory) throws IOException {
        if (Files.exists(formatFile(directory))) {
            checkFormat(directory);
        } else {
            refuseForeignFiles(directory);
        }
    }

    /// True if a directory with a file `format` holds a log that has been made.
    private static boolean checkFormat(Path directory) throws IOException {
        String found = Files.readString(formatFile(directory), StandardCharsets.UTF_8).strip();
        if (found.equals(INCOMPLETE)) {
            return false;
        }
        if (!found.equals(FORMAT)) {
            throw new LogException(
                    Reason.CORRUPT,
                    formatFile(directory)
                            + ": expected '"
                            + FORMAT
                            + "', found '"
                            + found
                            + "'. If a newer version wrote this store, run that version;"
                            + " this one would damage it");
        }
        return true;
    }

    /// Looks whether a directory holds a log, which is not opened.
    ///
    /// @throws LogException if not
    static void require(Path directory) throws IOException {
        String found;
        if (Files.exists(formatFile(directory))) {
            if (checkFormat(directory)) {
                return;
            }
            found = "one whose making was interrupted; nothing was ever stored in it";
        } else {
            found = Files.exists(directory) ? "no file 'format' in it" : "no such directory";
        }
        throw new LogException(Reason.IO, directory + ": expected a store, found " + found);
    }

    private static void refuseForeignFiles(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            List<String> found =
                    entries.map(path -> path.getFileName().toString())
                            .filter(name -> !OF_AN_EMPTY_DIRECTORY.contains(name))
                            .sorted()
                            .toList();
            if (!found.isEmpty()) {
                throw new LogException(
                        Reason.CORRUPT,
                        directory
                                + ": expected a store or an empty directory, found no file 'format'"
                                + " but "
                                + found);
            }
        }
    }

    Path path() {
        return directory;
    }

    /// Directory of RocksDB's files.
    Path rocksdb() {
        return rocksdb(directory);
    }

    static Path rocksdb(Path directory) {
        return directory.resolve("rocksdb");
    }

    /// The directory whose RocksDB files are there.
    static Path of(Path rocksdb) {
        return Objects.requireNonNull(rocksdb.getParent());
    }

    /// True if the log has been made. If not, nothing was ever appended to it.
    boolean isComplete() {
        return complete;
    }

    /// Removes what the interrupted making of a log has left behind.
    void clear() throws IOException {
        if (complete) {
            throw new IllegalStateException(directory + " holds a log");
        }
        if (!Files.exists(rocksdb())) {
            return;
        }
        List<Path> paths;
        try (Stream<Path> tree = Files.walk(rocksdb())) {
            paths = tree.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }

    /// From now on the directory holds a log.
    void complete() throws IOException {
        complete(directory);
    }

    /// Makes a directory with RocksDB's files in it one that holds a log.
    static void complete(Path directory) throws IOException {
        writeFormat(directory, FORMAT);
    }

    private static void writeFormat(Path directory, String format) throws IOException {
        Path unfinished = directory.resolve(UNFINISHED_FORMAT);
        try (FileChannel file =
                FileChannel.open(
                        unfinished,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.TRUNCATE_EXISTING,
                                StandardOpenOption.WRITE),
                        StorePermissions.ofFile(unfinished))) {
            file.write(ByteBuffer.wrap((format + "\n").getBytes(StandardCharsets.UTF_8)));
            file.force(true);
        }
        Files.move(
                unfinished,
                directory.resolve("format"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        sync(directory);
    }

    /// Makes the names in a directory durable, where the system can do that.
    static void sync(Path directory) throws IOException {
        if (System.getProperty("os.name", "").startsWith("Windows")) {
            return;
        }
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            throw RocksFailure.of("unlocking the store " + directory, e);
        } finally {
            IN_USE.remove(realDirectory);
        }
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
