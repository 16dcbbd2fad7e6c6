package winnow.broker.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import winnow.broker.config.FileProblem;

/// Reads a password that a command sets: from a file, a terminal or the standard input, but never
/// from the command line, which others can read in the list of processes.
final class PasswordInput {
    private PasswordInput() {}

    /// @param file whose first line it is, null for the terminal or the input
    /// @param option that names the file
    /// @throws IllegalArgumentException if there is none
    /// @throws IOException naming the file if it cannot be read
    static String read(@Nullable Path file, String option) throws IOException {
        String password = file == null ? typed() : firstLine(file, option);
        if (password == null || password.isEmpty()) {
            throw new IllegalArgumentException("expected a password, found none");
        }
        return password;
    }

    @SuppressWarnings("SystemConsoleNull") // the JDK's annotations still say that it may be null
    private static @Nullable String typed() throws IOException {
        Console console = System.console();
        if (console != null && console.isTerminal()) {
            char[] typed = console.readPassword("Password: ");
            return typed == null ? null : new String(typed);
        }
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                .readLine();
    }

    private static @Nullable String firstLine(Path file, String option) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            return reader.readLine();
        } catch (IOException e) {
            throw new IOException(option + " " + FileProblem.of(file, e).getMessage(), e);
        }
    }
}
