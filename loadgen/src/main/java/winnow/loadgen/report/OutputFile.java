package winnow.loadgen.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Objects;

/// A file that a command writes: the old one stays until the new one is complete.
public final class OutputFile {

    private OutputFile() {}

    /// Writes all of it. What is no regular file, such as /dev/stdout, is written to as it is.
    public static void write(Path file, String content) throws IOException {
        var target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            Files.writeString(target, content);
            return;
        }
        var folder = Objects.requireNonNull(target.getParent());
        if (Files.notExists(folder)) {
            throw new NoSuchFileException(folder.toString());
        }
        var unfinished = folder.resolve("." + target.getFileName() + ".unfinished");
        try {
            Files.writeString(unfinished, content);
            Files.move(unfinished, target, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /// True if a file that is to be written is one of those that are read.
    public static boolean isAmong(Collection<Path> inputs, Path file) throws IOException {
        if (Files.notExists(file)) {
            return false;
        }
        for (var input : inputs) {
            if (Files.exists(input) && Files.isSameFile(input, file)) {
                return true;
            }
        }
        return false;
    }
}
