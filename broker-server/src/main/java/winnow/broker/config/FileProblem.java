package winnow.broker.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Tells people what is wrong with a file: the JDK's message is often no more than its path.
public final class FileProblem {
    private FileProblem() {}

    /// The same failure with a message such as `users: no such file or directory`.
    public static IOException of(Path file, IOException failure) {
        return new IOException(file + ": " + reason(failure), failure);
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "no such file or directory";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "expected a directory, found a file";
            case CharacterCodingException _ -> "expected text in UTF-8";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> String.valueOf(failure.getMessage());
        };
    }
}
