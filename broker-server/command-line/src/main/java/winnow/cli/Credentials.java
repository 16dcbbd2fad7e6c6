package winnow.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// User and password for a broker: options, or environment variables where there are none. Owned by
/// the thread of the command.
public final class Credentials {

    private final Map<String, String> environment;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "User name, if the broker asks for one; default: $$WINNOW_USER.")
    private @Nullable String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description =
                    "File whose first line is the password; default: $$WINNOW_PASSWORD_FILE, or the"
                            + " password itself in $$WINNOW_PASSWORD.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--password",
            paramLabel = "TEXT",
            description =
                    "The password itself. Everybody on this machine can read it in the list of"
                            + " processes: prefer --password-file.")
    private @Nullable String password;

    /// Takes the environment of this process.
    public Credentials() {
        this(System.getenv());
    }

    Credentials(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /// The user's name; empty for none.
    public String user() {
        return user == null ? environment.getOrDefault("WINNOW_USER", "") : user;
    }

    /// The user's password; empty without a user. An option counts more than a variable.
    ///
    /// @throws IllegalArgumentException if there is a password without a user, or two, or a file
    ///   that cannot be read
    public String password() {
        if (password != null && passwordFile != null) {
            throw new IllegalArgumentException(
                    "expected --password or --password-file, found both");
        }
        if (user().isEmpty()) {
            if (password != null || passwordFile != null) {
                throw new IllegalArgumentException(
                        "expected --user or $WINNOW_USER with a password, found neither");
            }
            return "";
        }
        if (password != null) {
            return password;
        }
        return passwordFile == null ? ofEnvironment() : read("--password-file", passwordFile);
    }

    private String ofEnvironment() {
        var text = environment.get("WINNOW_PASSWORD");
        var file = environment.get("WINNOW_PASSWORD_FILE");
        if (text != null && file != null) {
            throw new IllegalArgumentException(
                    "expected $WINNOW_PASSWORD or $WINNOW_PASSWORD_FILE, found both");
        }
        if (file != null) {
            return read("$WINNOW_PASSWORD_FILE", Path.of(file));
        }
        return text == null ? "" : text;
    }

    private static String read(String name, Path file) {
        try (var lines = Files.newBufferedReader(file)) {
            var first = lines.readLine();
            return first == null ? "" : first;
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "%s: expected a readable file, found none: '%s'".formatted(name, file),
                    unreadable);
        }
    }
}
