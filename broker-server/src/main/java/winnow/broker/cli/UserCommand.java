package winnow.broker.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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

/// `winnow user`: adds a user to a user file, or gives one a new password.
@Command(
        name = "winnow user",
        mixinStandardHelpOptions = true,
        version = "winnow 0.1.0",
        description = {
            "Adds a user to a user file (setting security.users), or gives one a new password.",
            "The password is asked for on a terminal, else read as the first line of the input."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:written", "1:the file cannot be read or written", "2:wrong usage"})
public final class UserCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "name of the user")
    private String name = "";

    @Option(
            names = "--file",
            paramLabel = "FILE",
            required = true,
            description = "the user file; made if it is not there, readable by its owner only")
    private Path file = Path.of("users");

    private static final Set<OpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    @Spec private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new UserCommand())
                .setExpandAtFiles(false)
                .setExecutionExceptionHandler((e, command, _) -> {
                    command.getErr().println("winnow user: " + e.getMessage());
                    return e instanceof IllegalArgumentException ? 2 : 1;
                });
    }

    @Override
    public Integer call() throws IOException {
        UserFile.requireName(name);
        String password = readPassword();
        if (password == null || password.isEmpty()) {
            throw new IllegalArgumentException("expected a password, found none");
        }
        try {
            write(UserFile.line(name, password));
        } catch (IOException e) {
            throw new IOException("--file " + FileProblem.of(file, e).getMessage(), e);
        }
        spec.commandLine()
                .getOut()
                .println(
                        "user '"
                                + name
                                + "' written to "
                                + file
                                + "; a running broker takes it at SIGHUP or POST /api/v1/reload");
        return 0;
    }

    private void write(String line) throws IOException {
        List<String> lines = new ArrayList<>();
        Path target = file;
        if (Files.exists(file)) {
            target = file.toRealPath();
            lines.addAll(Files.readAllLines(target));
            lines.removeIf(old -> old.startsWith(name + ":"));
        }
        lines.add(line);
        replace(target.toAbsolutePath(), String.join("\n", lines) + "\n");
    }

    /// Whoever reads the file meanwhile, or after a crash, finds the old one or the new one, whole.
    private static void replace(Path target, String text) throws IOException {
        Path directory = Objects.requireNonNull(target.getParent());
        Path made = directory.resolve(target.getFileName() + "." + UUID.randomUUID());
        try {
            try (FileChannel out = FileChannel.open(made, NEW, OWNER_ONLY)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            if (Files.exists(target) && !Files.getOwner(target).equals(Files.getOwner(made))) {
                Files.setOwner(made, Files.getOwner(target));
            }
            Files.move(made, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
        }
        try (FileChannel entries = FileChannel.open(directory)) {
            entries.force(true);
        }
    }

    @SuppressWarnings("SystemConsoleNull") // the JDK's annotations still say that it may be null
    private static @Nullable String readPassword() throws IOException {
        Console console = System.console();
        if (console != null && console.isTerminal()) {
            char[] typed = console.readPassword("Password: ");
            return typed == null ? null : new String(typed);
        }
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                .readLine();
    }
}
