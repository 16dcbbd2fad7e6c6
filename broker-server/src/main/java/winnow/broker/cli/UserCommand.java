package winnow.broker.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import winnow.broker.config.FileProblem;
import winnow.broker.session.UserFile;
import winnow.broker.session.UserFileWriter;
import winnow.cli.Commands;

/// `winnow user`: adds a user to a user file, or gives one a new password.
@Command(
        name = "winnow user",
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        description = {
            "Adds a user to a user file (setting security.users), or gives one a new password.",
            "Without --file it prints the line of the file.",
            "The password is asked for on a terminal, else read as the first line of the input.",
            "The file keeps a salted verifier of it (SCRAM-SHA-256), not the password."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:written", "1:the file cannot be read or written", "2:wrong usage"})
public final class UserCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "name of the user")
    private String name = "";

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "the user file; made if it is not there, readable by its owner only")
    private @Nullable Path file;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "a file whose first line is the password")
    private @Nullable Path passwordFile;

    @Spec private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new UserCommand());
    }

    @Override
    public Integer call() throws IOException {
        UserFile.requireName(name);
        String password = readPassword();
        if (password == null || password.isEmpty()) {
            throw new IllegalArgumentException("expected a password, found none");
        }
        PrintWriter out = spec.commandLine().getOut();
        Path users = file;
        if (users == null) {
            out.println(UserFile.line(name, password));
            return 0;
        }
        try {
            UserFileWriter.put(users, name, password);
        } catch (IOException e) {
            throw new IOException("--file " + FileProblem.of(users, e).getMessage(), e);
        }
        out.println(
                "user '"
                        + name
                        + "' written to "
                        + users
                        + "; a running broker takes it at SIGHUP or POST /api/v1/reload");
        return 0;
    }

    @SuppressWarnings("SystemConsoleNull") // the JDK's annotations still say that it may be null
    private @Nullable String readPassword() throws IOException {
        if (passwordFile != null) {
            return firstLine(passwordFile);
        }
        Console console = System.console();
        if (console != null && console.isTerminal()) {
            char[] typed = console.readPassword("Password: ");
            return typed == null ? null : new String(typed);
        }
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                .readLine();
    }

    private static @Nullable String firstLine(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            return reader.readLine();
        } catch (IOException e) {
            throw new IOException("--password-file " + FileProblem.of(file, e).getMessage(), e);
        }
    }
}
