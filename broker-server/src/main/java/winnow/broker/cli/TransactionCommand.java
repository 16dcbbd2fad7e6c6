package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import winnow.cli.Commands;

/// `winnow transaction`: shows the prepared distributed transactions of a running broker, and
/// decides those whose transaction manager does not come back.
@Command(
        name = "winnow transaction",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Shows the prepared distributed transactions of a running broker, and decides"
                        + " those whose transaction manager does not come back. Ask first what"
                        + " the other resources of the transaction have done.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:no answer, no such transaction, or wrong credentials",
            "2:wrong usage"
        })
public final class TransactionCommand extends CommandGroup {
    private static final String TRANSACTIONS = "transactions";

    private TransactionCommand() {
        super("list, commit or rollback");
    }

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new TransactionCommand());
    }

    @Command(
            description =
                    "Lists the transactions that wait for a decision; --name is for the whole of a"
                            + " transaction, such as '1:0a*'.")
    int list(@Mixin ListOptions options, @Mixin BrokerAccess access) throws IOException {
        AdminClient client = access.client();
        JsonNode found = options.read(client, TRANSACTIONS);
        return print(
                access, found, () -> printAll(found, client.none("no transaction is prepared")));
    }

    private void printAll(JsonNode found, String none) {
        if (found.isEmpty()) {
            out().println(none);
            return;
        }
        out().println("   SENDS  RECEIVED  TRANSACTION");
        for (JsonNode one : found) {
            out().printf(
                            Locale.ROOT,
                            "%8d  %8d  %s%n",
                            one.path("sends").asInt(),
                            one.path("received").asInt(),
                            one.path("transaction").asText());
        }
    }

    @Command(description = "Commits a transaction: what it sends and has received takes effect.")
    int commit(
            @Parameters(paramLabel = "TRANSACTION", description = "as the list shows it")
                    String transaction,
            @Mixin Confirmation confirmation,
            @Mixin BrokerAccess access)
            throws IOException {
        return decide(transaction, "commit", "committed", confirmation, access);
    }

    @Command(description = "Rolls a transaction back: what it has received comes again.")
    int rollback(
            @Parameters(paramLabel = "TRANSACTION", description = "as the list shows it")
                    String transaction,
            @Mixin Confirmation confirmation,
            @Mixin BrokerAccess access)
            throws IOException {
        return decide(transaction, "rollback", "rolled back", confirmation, access);
    }

    private int decide(
            String transaction,
            String decision,
            String done,
            Confirmation confirmation,
            BrokerAccess access)
            throws IOException {
        if (!confirmation.given(decision + " transaction " + transaction)) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        JsonNode answer =
                access.client().ask("POST", Map.of(), TRANSACTIONS, transaction, decision);
        return print(access, answer, () -> out().println(done));
    }
}
