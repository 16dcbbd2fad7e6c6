package winnow.broker.subscription;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The files that have the places of a [BacklogFile], each the same number. One that is not needed
/// any more is deleted by a thread of its own, and what reads and writes the others does not wait:
/// a file system that tells its disk of each free block (mount option `discard`) takes seconds for
/// some hundred MiB. Owned by the thread of the spill file.
final class SpillParts {
    private static final Logger LOG = LoggerFactory.getLogger(SpillParts.class);
    private static final String PREFIX = "waiting-";

    /// Files of that name and with the prefix are those of a broker that has ended.
    private static final String LEFT = "waiting*";

    private final Path directory;
    private final BacklogFile.Opener opener;
    private final int placesOfPart;
    private final Map<Integer, Part> parts = new HashMap<>();
    private final ExecutorService deleter =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("winnow-spill-delete").factory());
    private final AtomicLong leavingBytes = new AtomicLong();
    private long nextName;

    /// A file.
    static final class Part {
        final Path path;
        final FileChannel channel;

        /// Number of places in use.
        int used;

        /// End of the places that were ever written.
        int end;

        /// End of those for which the disk had room.
        int granted;

        Part(Path path, FileChannel channel) {
            this.path = path;
            this.channel = channel;
        }
    }

    /// Makes the directory if it is not there, and has deleted what a broker has left that ended
    /// without a stop.
    ///
    /// @throws IOException if it cannot be used
    SpillParts(Path directory, BacklogFile.Opener opener, int placesOfPart) throws IOException {
        this.directory = directory;
        this.opener = opener;
        this.placesOfPart = placesOfPart;
        Files.createDirectories(directory, permissions(directory, "rwx------"));
        Path probe = directory.resolve("probe");
        Files.deleteIfExists(probe);
        Files.delete(Files.createFile(probe));
        for (Path left : leftFiles()) {
            nextName = Math.max(nextName, number(left) + 1);
            deleter.execute(() -> delete(left));
        }
    }

    private List<Path> leftFiles() throws IOException {
        List<Path> left = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, LEFT)) {
            files.forEach(left::add);
        }
        return left;
    }

    private static long number(Path file) {
        String digits = file.getFileName().toString().replace(PREFIX, "");
        return digits.matches("[0-9]{1,18}") ? Long.parseLong(digits) : 0;
    }

    static FileAttribute<?>[] permissions(Path path, String permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    static FileChannel open(Path path) throws IOException {
        return FileChannel.open(
                path,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING),
                permissions(path, "rw-------"));
    }

    /// Number of places in a file.
    int placesOfPart() {
        return placesOfPart;
    }

    /// The file that has a place; made if it is not there.
    Part of(int place) throws IOException {
        int index = place / placesOfPart;
        Part known = parts.get(index);
        if (known == null) {
            Path path = directory.resolve(PREFIX + nextName);
            known = new Part(path, opener.open(path));
            nextName++;
            parts.put(index, known);
        }
        return known;
    }

    /// Position of a place in its file, in places.
    int offset(int place) {
        return place % placesOfPart;
    }

    /// Gives places back, from one on.
    void release(int place, int count) {
        int index = place / placesOfPart;
        Part part = parts.get(index);
        if (part != null) {
            part.used -= count;
            if (part.used == 0) {
                parts.remove(index);
                long bytes = (long) part.end * BacklogFile.PLACE_BYTES;
                leavingBytes.addAndGet(bytes);
                deleter.execute(() -> {
                    delete(part);
                    leavingBytes.addAndGet(-bytes);
                });
            }
        }
    }

    private static void delete(Part part) {
        try {
            part.channel.close();
        } catch (IOException e) {
            LOG.debug("{} was not closed", part.path, e);
        }
        delete(part.path);
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn("{} is left behind: {}", path, e.toString());
        }
    }

    /// Has all files deleted.
    void deleteAll() {
        parts.values().forEach(part -> deleter.execute(() -> delete(part)));
        parts.clear();
        deleter.shutdown();
    }

    /// Waits until all are deleted. Any thread, after [#deleteAll].
    boolean awaitDeleted(long nanos) throws InterruptedException {
        return deleter.awaitTermination(nanos, TimeUnit.NANOSECONDS);
    }

    /// Bytes of files that are being deleted. Any thread.
    long leavingBytes() {
        return leavingBytes.get();
    }

    /// First places of the files that are there.
    List<Integer> firstPlaces() {
        return parts.keySet().stream().map(index -> index * placesOfPart).sorted().toList();
    }

    /// The file that has a place, null if it is not there.
    @Nullable Part find(int place) {
        return parts.get(place / placesOfPart);
    }
}
