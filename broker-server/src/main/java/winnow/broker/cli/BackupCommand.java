package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import winnow.cli.Commands;
import winnow.wire.Printable;

/// `winnow backup`: lets a running broker copy its store, and shows and removes such copies.
@Command(
        name = "winnow backup",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Lets a running broker copy its store, and shows and removes such copies.",
            "They are in the folder 'backups' beside the store; 'winnow store verify --data DIR/"
                    + "backups/NAME' reads one, 'winnow store restore' makes a store of it."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:no answer, the backup could not be made, there is none, or wrong credentials",
            "2:wrong usage"
        })
public final class BackupCommand extends CommandGroup {
    private static final String STORAGE = "storage";
    private static final String BACKUPS = "backups";
    private static final long LOOK_MILLIS = 500;

    private BackupCommand() {
        super("make, list or delete");
    }

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new BackupCommand());
    }

    @Command(
            description = {
                "Makes a backup, and waits until it is complete.",
                "Everything that was confirmed before is in it. It shares files with the store, so"
                        + " it takes little room at first."
            })
    int make(
            @Parameters(
                            paramLabel = "NAME",
                            arity = "0..1",
                            defaultValue = "",
                            description = "letters, digits, '-' and '_'; the time if not given")
                    String name,
            @Mixin BrokerAccess access)
            throws IOException {
        AdminClient client = access.client();
        JsonNode backup = client.ask("POST", Map.of("name", name), STORAGE, BACKUPS);
        while (!backup.path("complete").asBoolean()) {
            pause();
            backup = client.get(STORAGE, BACKUPS, backup.path("name").asText());
        }
        return print(access, backup, "made ");
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted; the broker goes on with the backup", e);
        }
    }

    @Command(description = "Lists the backups by name.")
    int list(@Mixin ListOptions options, @Mixin BrokerAccess access) throws IOException {
        JsonNode found = options.read(access.client(), STORAGE, BACKUPS);
        return print(access, found, () -> printAll(found));
    }

    private void printAll(JsonNode found) {
        if (found.isEmpty()) {
            out().println("none");
            return;
        }
        out().printf(Locale.ROOT, "%-24s %-24s %16s  %s%n", "NAME", "MADE", "BYTES", "DIRECTORY");
        for (JsonNode one : found) {
            String made = one.path("made").asText();
            out().printf(
                            Locale.ROOT,
                            "%-24s %-24.24s %,16d  %s%n",
                            Printable.of(one.path("name").asText()),
                            made.isEmpty() ? "(in work)" : made,
                            one.path("bytes").asLong(),
                            one.path("directory").asText());
        }
    }

    @Command(description = "Removes a backup.")
    int delete(
            @Parameters(paramLabel = "NAME", description = "name of the backup") String name,
            @Mixin Confirmation confirmation,
            @Mixin BrokerAccess access)
            throws IOException {
        AdminClient client = access.client();
        JsonNode found = client.get(STORAGE, BACKUPS, name);
        String question = "remove backup " + found.path("directory").asText();
        if (!confirmation.given(question)) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        return print(access, client.ask("DELETE", Map.of(), STORAGE, BACKUPS, name), "removed ");
    }

    private int print(BrokerAccess access, JsonNode backup, String done) {
        String text = done + backup.path("directory").asText();
        return print(access, backup, () -> out().println(text));
    }
}
