package winnow.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// Writes user files as a broker accepts them: for their owner only.
public final class TestUsers {
    private TestUsers() {}

    /// A new file `users` in this directory.
    public static Path write(Path directory, String... lines) throws IOException {
        Path file = directory.resolve("users");
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, String.join("\n", lines) + "\n");
    }
}
