package winnow.loadgen.message;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import winnow.loadgen.worker.Failures;

/// A file whose content is the text of one message.
final class TextFile {

    /// The text, its encoded form and what is written of it are in memory together.
    private static final int HEAP_PARTS = 8;

    private static final long MIB = 1024 * 1024;

    private TextFile() {}

    /// All of it.
    ///
    /// @throws IllegalArgumentException saying what was expected and found, if it cannot be sent
    static String read(Path file) {
        return read(file, Runtime.getRuntime().maxMemory() / HEAP_PARTS);
    }

    static String read(Path file, long maxBytes) {
        try {
            if (Files.isDirectory(file)) {
                throw new IllegalArgumentException(
                        "expected a file, found a directory: '" + file + "'");
            }
            var bytes = Files.size(file);
            if (bytes > maxBytes) {
                throw new IllegalArgumentException(
                        ("expected a file of at most %,d bytes, found %,d in '%s'; with more heap,"
                                        + " as by WINNOW_OPTS=-Xmx%dm, it can be read")
                                .formatted(
                                        maxBytes, bytes, file, 2 * HEAP_PARTS * (bytes / MIB + 1)));
            }
            return Files.readString(file);
        } catch (NoSuchFileException missing) {
            throw new IllegalArgumentException(
                    "expected a file, found none: '" + file + "'", missing);
        } catch (CharacterCodingException other) {
            throw new IllegalArgumentException(
                    "expected text in UTF-8, found other bytes in '" + file + "'", other);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(Failures.describe(unreadable), unreadable);
        }
    }
}
