package winnow.store.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import winnow.store.LogException;

/// Says what keeps a store from being opened until somebody changes it: permissions, a file where a
/// directory belongs, files of something else or of a newer version. Makes, locks and changes
/// nothing, so that a broker may run on the store meanwhile.
public final class StoreRequirements {
    private StoreRequirements() {}

    /// Problem of a directory that is to hold a store, empty if there is none.
    public static Optional<String> problem(Path directory) {
        Path there = directory.toAbsolutePath();
        while (!Files.exists(there)) {
            Path parent = there.getParent();
            if (parent == null) {
                return Optional.empty();
            }
            there = parent;
        }
        if (!Files.isDirectory(there)) {
            return Optional.of(there + ": expected a directory, found a file");
        }
        if (!usable(there)) {
            return Optional.of(notAllowed(there));
        }
        return there.equals(directory.toAbsolutePath()) ? ofStore(there) : Optional.empty();
    }

    private static Optional<String> ofStore(Path directory) {
        try {
            StoreDirectory.requireOwnFiles(directory);
            Optional<Path> closed = closed(directory);
            Path rocksdb = StoreDirectory.rocksdb(directory);
            if (closed.isEmpty() && Files.isDirectory(rocksdb)) {
                closed = closed(rocksdb);
            }
            return closed.map(StoreRequirements::notAllowed);
        } catch (LogException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return Optional.of(directory + ": " + e.getMessage());
        }
    }

    /// The first entry that this process may not read and write.
    private static Optional<Path> closed(Path directory) throws IOException {
        List<Path> entries;
        try (Stream<Path> listed = Files.list(directory)) {
            entries = listed.sorted().toList();
        }
        return entries.stream()
                .filter(entry -> !entry.endsWith("lost+found"))
                // A file that has gone meanwhile is nobody's.
                .filter(entry -> Files.exists(entry) && !usable(entry))
                .findFirst();
    }

    private static boolean usable(Path path) {
        return Files.isReadable(path)
                && Files.isWritable(path)
                && (!Files.isDirectory(path) || Files.isExecutable(path));
    }

    private static String notAllowed(Path path) {
        return "%s: expected one that user '%s' may read and write, found another"
                .formatted(path, System.getProperty("user.name", "?"));
    }
}
