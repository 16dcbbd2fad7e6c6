package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
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
public final class TransactionCommand implements Runnable {
    private static final String TRANSACTIONS = "transactions";

    @Spec private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    static CommandLine commandLine() {
        return Commands.line(new TransactionCommand());
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "expected a command: list, commit or rollback");
    }

    @Command(description = "Lists the transactions that wait for a decision.")
    int list(@Mixin BrokerAccess access) throws IOException {
        JsonNode found = access.client().list(TRANSACTIONS);
        PrintWriter out = spec.commandLine().getOut();
        if (access.isJson()) {
            out.println(found);
        } else if (found.isEmpty()) {
            out.println("no transaction is prepared");
        } else {
            out.println("   SENDS  RECEIVED  TRANSACTION");
            for (JsonNode one : found) {
                out.printf(
                        Locale.ROOT,
                        "%8d  %8d  %s%n",
                        one.path("sends").asInt(),
                        one.path("received").asInt(),
                        one.path("transaction").asText());
            }
        }
        out.flush();
        return CommandLine.ExitCode.OK;
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
        PrintWriter out = spec.commandLine().getOut();
        out.println(access.isJson() ? answer.toString() : done);
        out.flush();
        return CommandLine.ExitCode.OK;
    }
}
