package winnow.broker.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Writes user files, readable by their owner only. A file appears whole and at once: who reads it
/// meanwhile, or after a crash, finds the old one or the new one.
public final class UserFileWriter {
    private static final Set<OpenOption> READ_AND_LOCK =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

    private static final Set<OpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private UserFileWriter() {}

    /// Makes a file with this one user. Of several who try at once, one succeeds.
    ///
    /// @return false if there is a file already, which is left alone
    /// @throws IllegalArgumentException if the name could not be read again
    public static boolean create(Path file, String user, String password) throws IOException {
        return create(file, UserFile.line(user, password));
    }

    private static boolean create(Path file, String line) throws IOException {
        Path target = file.toAbsolutePath();
        Path made = write(target, List.of(line, Decoys.newLine()));
        try {
            // Unlike a move, a link never replaces what is there.
            Files.createLink(target, made);
        } catch (FileAlreadyExistsException _) {
            return false;
        } finally {
            Files.deleteIfExists(made);
        }
        force(target);
        return true;
    }

    /// Adds the user, or gives it a new password. Makes the file if it is not there. Those who
    /// change a file at the same time take turns.
    ///
    /// @throws IllegalArgumentException if the name could not be read again
    public static synchronized void put(Path file, String user, String password)
            throws IOException {
        String line = UserFile.line(user, password);
        boolean done = false;
        while (!done) {
            done = Files.exists(file) ? replace(file, user, line) : create(file, line);
        }
    }

    /// Changes a file while nobody else does. The lock is on the file itself, which the changed one
    /// replaces: who has waited for it begins anew.
    ///
    /// @return false if somebody else has replaced or removed the file meanwhile
    private static boolean replace(Path file, String user, String line) throws IOException {
        try {
            Path target = file.toRealPath();
            Identity before = Identity.of(target);
            try (FileChannel old = FileChannel.open(target, READ_AND_LOCK);
                    FileLock _ = old.lock()) {
                if (!before.equals(Identity.of(target))) {
                    return false;
                }
                // By this channel: closing another one of the same file would end the lock.
                move(target, changed(read(old), user, line));
            }
            force(target);
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private static List<String> changed(List<String> before, String user, String line) {
        List<String> lines = new ArrayList<>(before);
        int place = place(lines, user);
        lines.removeIf(one -> isOf(one, user));
        lines.add(Math.min(place, lines.size()), line);
        if (lines.stream().noneMatch(Decoys::isLine)) {
            lines.add(Decoys.line(before));
        }
        return lines;
    }

    /// What tells a file from the one that has replaced it.
    private record Identity(@Nullable Object key, FileTime changed) {
        static Identity of(Path file) throws IOException {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return new Identity(found.fileKey(), found.lastModifiedTime());
        }
    }

    private static List<String> read(FileChannel file) throws IOException {
        if (file.size() > UserFile.MAX_BYTES) {
            throw new IOException(
                    "expected at most " + UserFile.MAX_BYTES + " bytes, found " + file.size());
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
        while (bytes.hasRemaining() && file.read(bytes) >= 0) {
            // reads on
        }
        return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString().lines().toList();
    }

    private static void move(Path target, List<String> lines) throws IOException {
        Path made = write(target, lines);
        try {
            if (!Files.getOwner(target).equals(Files.getOwner(made))) {
                Files.setOwner(made, Files.getOwner(target));
            }
            Files.move(made, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /// Where the user's line is, or else will be.
    private static int place(List<String> lines, String user) {
        for (int i = 0; i < lines.size(); i++) {
            if (isOf(lines.get(i), user)) {
                return i;
            }
        }
        return lines.size();
    }

    /// Whether a line is the user's, read as [UserFile] reads it.
    private static boolean isOf(String line, String user) {
        return line.strip().startsWith(user + ":");
    }

    /// A new file beside the target with these lines, on the disk.
    private static Path write(Path target, List<String> lines) throws IOException {
        String text = String.join("\n", lines) + "\n";
        Path made = directory(target).resolve(target.getFileName() + "." + UUID.randomUUID());
        try (FileChannel out = FileChannel.open(made, NEW, OWNER_ONLY)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(made);
            throw e;
        }
        return made;
    }

    /// The new name is on the disk, too.
    private static void force(Path target) throws IOException {
        try (FileChannel entries = FileChannel.open(directory(target))) {
            entries.force(true);
        }
    }

    private static Path directory(Path target) {
        return Objects.requireNonNull(target.getParent());
    }
}
