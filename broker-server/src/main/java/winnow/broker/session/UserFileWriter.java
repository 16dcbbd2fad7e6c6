package winnow.broker.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/// Writes user files, readable by their owner only. A file appears whole and at once: who reads it
/// meanwhile, or after a crash, finds the old one or the new one.
public final class UserFileWriter {
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
        Path target = file.toAbsolutePath();
        Path made = write(target, UserFile.line(user, password) + "\n");
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

    /// Adds the user, or gives it a new password. Makes the file if it is not there.
    ///
    /// @throws IllegalArgumentException if the name could not be read again
    public static void put(Path file, String user, String password) throws IOException {
        String line = UserFile.line(user, password);
        List<String> lines = new ArrayList<>();
        Path target = file.toAbsolutePath();
        if (Files.exists(file)) {
            target = file.toRealPath();
            lines.addAll(Files.readAllLines(target));
        }
        int place = place(lines, user);
        lines.removeIf(old -> isOf(old, user));
        lines.add(Math.min(place, lines.size()), line);
        Path made = write(target, String.join("\n", lines) + "\n");
        try {
            if (Files.exists(target) && !Files.getOwner(target).equals(Files.getOwner(made))) {
                Files.setOwner(made, Files.getOwner(target));
            }
            Files.move(made, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
        }
        force(target);
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

    /// A new file beside the target with this text, on the disk.
    private static Path write(Path target, String text) throws IOException {
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
