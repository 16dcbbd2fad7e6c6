package winnow.broker.security;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import winnow.broker.config.PrivateFile;

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

    /// Looks at the users of a file before they change. Nobody else changes them meanwhile.
    @FunctionalInterface
    public interface Guard {
        /// Throws to leave the file as it is.
        void check(UserFile before) throws IOException;
    }

    /// A change that was made.
    ///
    /// @param before the users that the file had
    /// @param after the users that it has
    public record Written(UserFile before, UserFile after) {}

    /// The new lines of a file.
    @FunctionalInterface
    private interface LineEdit {
        List<String> apply(List<String> before) throws IOException;
    }

    /// Makes a file with this one user. Of several who try at once, one succeeds.
    ///
    /// @return false if there is a file already, which is left alone
    /// @throws IOException if it cannot be made, such as in place of a link that leads nowhere
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
            if (Files.isSymbolicLink(target) && Files.notExists(target)) {
                throw new FileSystemException(
                        target.toString(),
                        null,
                        "expected a file, or a link to one, found a link to a file that is not"
                                + " there");
            }
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
            done =
                    Files.exists(file)
                            ? replace(file, before -> with(before, user, line))
                            : create(file, line);
        }
    }

    /// Adds a user to a file that is right, or gives the user a new password.
    ///
    /// @param guard decides whether
    /// @throws IllegalArgumentException if the name could not be read again
    /// @throws IOException if the file is not there, cannot be replaced or a line is not as
    ///   expected; then nothing has changed
    public static synchronized Written put(Path file, String user, String password, Guard guard)
            throws IOException {
        String line = UserFile.line(user, password);
        return change(file, guard, before -> with(before, user, line));
    }

    /// Removes a user from a file that is right, and names somebody after that, too.
    ///
    /// @param guard decides whether
    /// @throws IOException if the file is not there, cannot be replaced or a line is not as
    ///   expected; then nothing has changed
    public static synchronized Written remove(Path file, String user, Guard guard)
            throws IOException {
        return change(file, guard, before -> withDecoys(without(before, user), before));
    }

    /// A file that others could have changed is left as it is: the new one would hide that.
    private static Written change(Path file, Guard guard, LineEdit edit) throws IOException {
        AtomicReference<Written> written = new AtomicReference<>();
        boolean done = false;
        while (!done) {
            if (Files.notExists(file)) {
                throw UserFile.missing(file);
            }
            done =
                    replace(
                            file,
                            before -> {
                                PrivateFile.requireOwnerOnly(file);
                                UserFile users = UserFile.parse(file, before);
                                guard.check(users);
                                List<String> lines = edit.apply(before);
                                written.set(new Written(users, UserFile.parse(file, lines)));
                                return lines;
                            });
        }
        return written.get();
    }

    /// Changes a file while nobody else does. The lock is on the file itself, which the changed one
    /// replaces: who has waited for it begins anew.
    ///
    /// @return false if somebody else has replaced or removed the file meanwhile
    private static boolean replace(Path file, LineEdit edit) throws IOException {
        try {
            Path target = file.toRealPath();
            Identity before = Identity.of(target);
            try (FileChannel old = FileChannel.open(target, READ_AND_LOCK);
                    FileLock _ = old.lock()) {
                if (!before.equals(Identity.of(target))) {
                    return false;
                }
                // By this channel: closing another one of the same file would end the lock.
                move(target, edit.apply(read(old)));
            }
            force(target);
            return true;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private static List<String> with(List<String> before, String user, String line) {
        List<String> lines = without(before, user);
        lines.add(Math.min(place(before, user), lines.size()), line);
        return withDecoys(lines, before);
    }

    /// Keeps the decoys as they were, whoever is the first user now.
    private static List<String> withDecoys(List<String> lines, List<String> before) {
        if (lines.stream().noneMatch(Decoys::isLine)) {
            lines.add(Decoys.line(before));
        }
        return lines;
    }

    private static List<String> without(List<String> before, String user) {
        List<String> lines = new ArrayList<>(before);
        lines.removeIf(one -> isOf(one, user));
        return lines;
    }

    /// Identity of a file, which tells it from the one that has replaced it.
    private record Identity(@Nullable Object key, FileTime changed) {
        static Identity of(Path file) throws IOException {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return new Identity(found.fileKey(), found.lastModifiedTime());
        }
    }

    private static List<String> read(FileChannel file) throws IOException {
        requireSize(file.size());
        ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
        while (bytes.hasRemaining() && file.read(bytes) >= 0) {
            // reads on
        }
        return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString().lines().toList();
    }

    /// A larger file could not be read again.
    private static void requireSize(long bytes) throws IOException {
        if (bytes > UserFile.MAX_BYTES) {
            throw new IOException(
                    "expected at most " + UserFile.MAX_BYTES + " bytes, found " + bytes);
        }
    }

    private static void move(Path target, List<String> lines) throws IOException {
        Path made = write(target, lines);
        try {
            giveTo(Files.getOwner(target, LinkOption.NOFOLLOW_LINKS), made);
            Files.move(made, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
        }
    }

    /// Gives a new file its owner. Who may write to its directory could have put a link to another
    /// file in its place, which must not change hands.
    static void giveTo(UserPrincipal owner, Path made) throws IOException {
        FileOwnerAttributeView view =
                Files.getFileAttributeView(
                        made, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (!owner.equals(view.getOwner())) {
            view.setOwner(owner);
        }
        if (!Files.isRegularFile(made, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(
                    made
                            + ": expected the file that was just written, found something else in"
                            + " its place: choose a directory where the file's owner alone can"
                            + " write");
        }
    }

    /// Index of the user's line, or of the line that it will be.
    private static int place(List<String> lines, String user) {
        for (int i = 0; i < lines.size(); i++) {
            if (isOf(lines.get(i), user)) {
                return i;
            }
        }
        return lines.size();
    }

    /// True if a line is the user's, read as [UserFile] reads it.
    private static boolean isOf(String line, String user) {
        return line.strip().startsWith(user + ":");
    }

    /// A new file beside the target with these lines, on the disk.
    private static Path write(Path target, List<String> lines) throws IOException {
        byte[] text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        requireSize(text.length);
        Path made = directory(target).resolve(target.getFileName() + "." + UUID.randomUUID());
        try (FileChannel out = FileChannel.open(made, NEW, OWNER_ONLY)) {
            ByteBuffer bytes = ByteBuffer.wrap(text);
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
