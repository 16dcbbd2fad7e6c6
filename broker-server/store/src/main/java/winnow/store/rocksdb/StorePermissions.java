package winnow.store.rocksdb;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the directories and files of a store for their owner only, where files have such
/// permissions. RocksDB makes its files as the process's mask says: they are behind a directory
/// that nobody else may enter, and the launchers set the mask, too.
final class StorePermissions {
    private static final Logger LOG = LoggerFactory.getLogger(StorePermissions.class);

    private static final Set<PosixFilePermission> OWNERS =
            PosixFilePermissions.fromString("rwx------");

    private StorePermissions() {}

    /// Attributes that a new directory is made with.
    static FileAttribute<?>[] ofDirectory(Path directory) {
        return attributes(directory, OWNERS);
    }

    /// Attributes that a new file is made with.
    static FileAttribute<?>[] ofFile(Path file) {
        return attributes(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return isKnownAt(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private static boolean isKnownAt(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /// Takes all permissions of others away from a store. Where that is not allowed, because
    /// somebody else owns it, the log says so.
    static void tighten(Path store) throws IOException {
        if (!isKnownAt(store)) {
            return;
        }
        tightenOne(store);
        tightenEntries(store);
        tightenEntries(StoreDirectory.rocksdb(store));
    }

    private static void tightenEntries(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        List<Path> entries;
        try (Stream<Path> listed = Files.list(directory)) {
            entries = listed.toList();
        }
        for (Path entry : entries) {
            // The file system's own directory is the system's.
            if (!Files.isSymbolicLink(entry) && !entry.endsWith("lost+found")) {
                tightenOne(entry);
            }
        }
    }

    private static void tightenOne(Path path) throws IOException {
        try {
            Set<PosixFilePermission> found =
                    Files.readAttributes(path, PosixFileAttributes.class).permissions();
            Set<PosixFilePermission> left = EnumSet.noneOf(PosixFilePermission.class);
            left.addAll(found);
            left.retainAll(OWNERS);
            if (!left.equals(found)) {
                Files.setPosixFilePermissions(path, left);
                LOG.debug("Others may not use {} any more", path);
            }
        } catch (NoSuchFileException _) {
            LOG.debug("{} has gone meanwhile", path);
        } catch (FileSystemException e) {
            LOG.warn(
                    "Others may use {}, and that cannot be changed: {}. Give it to the user of the"
                            + " broker, or take the permissions away (chmod go= {})",
                    path,
                    e.getReason(),
                    path);
        }
    }
}
