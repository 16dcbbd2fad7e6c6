package winnow.store.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import winnow.store.LogException;
import winnow.store.LogException.Reason;

/// Copies the files of a log that is not open: a copy shares nothing with its source, and may be in
/// another file system. Nothing of the source is changed but its lock.
public final class StoreCopy {
    private static final long STEP = 8L << 20;

    private final Path source;
    private final Path target;
    private final Progress progress;
    private long done;
    private long all;

    /// Is told how far a copy is.
    @FunctionalInterface
    public interface Progress {
        /// @param done bytes that have been copied
        /// @param all bytes of all files
        void onBytes(long done, long all);
    }

    private StoreCopy(Path source, Path target, Progress progress) {
        this.source = source;
        this.target = target;
        this.progress = progress;
    }

    /// Looks whether a directory holds a log, which is not opened.
    ///
    /// @throws LogException if not
    public static void requireStore(Path directory) {
        try {
            StoreDirectory.require(directory);
        } catch (IOException e) {
            throw RocksFailure.of("reading the store " + directory, e);
        }
    }

    /// Copies a log. It is on the disk when this returns. Blocks.
    ///
    /// @param target must not exist; without its last file, which is written at the end, it is no
    ///   store
    /// @throws LogException if the source is none or in use, or if files cannot be copied
    public static void copy(Path source, Path target, Progress progress) {
        requireStore(source);
        try {
            if (Files.exists(target)) {
                throw new LogException(
                        Reason.IO, target + ": expected nothing there, found a file or directory");
            }
            // Where nobody can write, nobody has it open either.
            if (Files.isWritable(source)) {
                StoreDirectory locked = StoreDirectory.open(source);
                try (locked) {
                    new StoreCopy(source, target, progress).run();
                }
            } else {
                new StoreCopy(source, target, progress).run();
            }
        } catch (IOException e) {
            throw RocksFailure.of("copying the store " + source + " to " + target, e);
        }
    }

    /// Most bytes that a checkpoint of a log may write: what is in the write-ahead log only goes to
    /// data files, and its end is copied. All other files are shared.
    ///
    /// @throws LogException if the files cannot be read
    public static long checkpointBytes(Path directory) {
        return 2 * writeAheadLogBytes(directory);
    }

    /// Size of the write-ahead log, in bytes. Not more than that, and a little, goes to data files
    /// when a log is opened.
    ///
    /// @throws LogException if the files cannot be read
    public static long writeAheadLogBytes(Path directory) {
        return bytes(directory, ".log");
    }

    /// Size of the data files, in bytes.
    ///
    /// @throws LogException if the files cannot be read
    public static long dataBytes(Path directory) {
        return bytes(directory, ".sst");
    }

    private static long bytes(Path directory, String ending) {
        try (Stream<Path> entries = Files.list(StoreDirectory.rocksdb(directory))) {
            long bytes = 0;
            for (Path path : entries.filter(path -> path.toString().endsWith(ending)).toList()) {
                // RocksDB may have removed it meanwhile.
                bytes += path.toFile().length();
            }
            return bytes;
        } catch (IOException e) {
            throw RocksFailure.of("reading the store " + directory, e);
        }
    }

    /// Removes what an interrupted copy has left behind, if there is something.
    ///
    /// @throws LogException if that fails
    public static void remove(Path directory) {
        try {
            if (!Files.exists(directory)) {
                return;
            }
            List<Path> paths;
            try (Stream<Path> tree = Files.walk(directory)) {
                paths = tree.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : paths) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw RocksFailure.of("removing " + directory, e);
        }
    }

    /// Gives a copy its name: from then on it is there, also after a power failure.
    ///
    /// @throws LogException if that fails
    public static void rename(Path copy, Path name) {
        try {
            Files.move(copy, name);
            Path parent = name.toAbsolutePath().getParent();
            if (parent != null) {
                StoreDirectory.sync(parent);
            }
        } catch (IOException e) {
            throw RocksFailure.of("renaming " + copy + " to " + name, e);
        }
    }

    private void run() throws IOException {
        List<Path> files = files();
        for (Path file : files) {
            all += Files.size(file);
        }
        if (Files.exists(LogEnd.file(source))) {
            all += Files.size(LogEnd.file(source));
        }
        Path copies = StoreDirectory.rocksdb(target);
        StoreDirectory.make(copies);
        for (Path file : files) {
            copy(file, copies.resolve(file.getFileName()));
        }
        if (Files.exists(LogEnd.file(source))) {
            copy(LogEnd.file(source), LogEnd.file(target));
        }
        StoreDirectory.sync(copies);
        StoreDirectory.complete(target);
    }

    /// All but RocksDB's own lock and the lines that it writes for people.
    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> entries = Files.list(StoreDirectory.rocksdb(source))) {
            entries.filter(Files::isRegularFile)
                    .filter(path -> !path.getFileName().toString().matches("LOCK|LOG(\\.old.*)?"))
                    .sorted()
                    .forEach(files::add);
        }
        return files;
    }

    private void copy(Path file, Path copy) throws IOException {
        try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
                FileChannel to =
                        FileChannel.open(
                                copy,
                                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                                StorePermissions.ofFile(copy))) {
            long at = 0;
            long size = from.size();
            while (at < size) {
                long moved = from.transferTo(at, Math.min(STEP, size - at), to);
                if (moved == 0) {
                    throw new IOException(
                            file + ": expected " + size + " bytes, found its end after " + at);
                }
                at += moved;
                done += moved;
                progress.onBytes(done, all);
            }
            to.force(true);
        }
    }
}
