package winnow.broker.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import winnow.broker.config.FileProblem;
import winnow.broker.config.SmallFile;

/// The user that a broker makes at its first start, so that it can demand credentials before
/// anybody has written a user file.
///
/// Its password is [#PASSWORD] of the environment, or the content of the file that [#PASSWORD_FILE]
/// names; then the user has this password after each start, whatever the file said. Else a random
/// one is made with the file, once.
public final class FirstUser {
    public static final String PASSWORD = "WINNOW_PASSWORD";
    public static final String PASSWORD_FILE = "WINNOW_PASSWORD_FILE";

    /// Letters and digits that are not taken for one another. A group of 5 has 25 bits.
    private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

    private static final int MAX_PASSWORD_BYTES = 64 * 1024;

    private static final int GROUPS = 4;
    private static final int GROUP_CHARACTERS = 5;

    private FirstUser() {}

    /// Sees to it that there is a user file.
    ///
    /// @param file the user file
    /// @param environment the variables of the process
    /// @return the password if it was made here, for nobody else knows it
    /// @throws IllegalArgumentException if the name or the variables cannot be used
    /// @throws IOException if a file cannot be read or written; the text names it
    public static Optional<String> prepare(Path file, String name, Map<String, String> environment)
            throws IOException {
        UserFile.requireName(name);
        String given = givenPassword(environment);
        if (!given.isEmpty()) {
            give(file, name, given);
            return Optional.empty();
        }
        return Files.exists(file) ? Optional.empty() : make(file, name);
    }

    private static String givenPassword(Map<String, String> environment) {
        String password = environment.getOrDefault(PASSWORD, "");
        String file = environment.getOrDefault(PASSWORD_FILE, "");
        if (file.isEmpty()) {
            return password;
        }
        if (!password.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected " + PASSWORD + " or " + PASSWORD_FILE + ", found both");
        }
        try {
            // The first line, as in all commands.
            password =
                    SmallFile.read(Path.of(file), MAX_PASSWORD_BYTES)
                            .lines()
                            .findFirst()
                            .orElse("");
        } catch (IOException e) {
            throw new IllegalArgumentException(PASSWORD_FILE + ": " + e.getMessage(), e);
        }
        if (password.isEmpty()) {
            throw new IllegalArgumentException(
                    PASSWORD_FILE + ": expected a password in " + file + ", found none");
        }
        return password;
    }

    private static void give(Path file, String name, String password) throws IOException {
        if (Files.exists(file) && UserFile.read(file).matches(name, password)) {
            return;
        }
        try {
            UserFileWriter.put(file, name, password);
        } catch (IOException e) {
            throw FileProblem.of(file, e);
        }
    }

    private static Optional<String> make(Path file, String name) throws IOException {
        String password = randomPassword();
        try {
            return UserFileWriter.create(file, name, password)
                    ? Optional.of(password)
                    : Optional.empty();
        } catch (IOException e) {
            throw FileProblem.of(file, e);
        }
    }

    private static String randomPassword() {
        SecureRandom random = new SecureRandom();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS * GROUP_CHARACTERS; i++) {
            if (i > 0 && i % GROUP_CHARACTERS == 0) {
                text.append('-');
            }
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }
}
