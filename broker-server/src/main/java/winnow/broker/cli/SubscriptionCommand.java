package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import winnow.cli.Commands;

/// `winnow subscription`: shows the durable and shared subscriptions of a running broker, and
/// removes them.
@Command(
        name = "winnow subscription",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Shows the durable and shared subscriptions of a running broker, and removes"
                        + " durable ones.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:no answer, no such subscription, it is in use, or wrong credentials",
            "2:wrong usage"
        })
public final class SubscriptionCommand implements Runnable {
    private static final String SUBSCRIPTIONS = "subscriptions";

    @Spec private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    static CommandLine commandLine() {
        return Commands.line(new SubscriptionCommand());
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "expected a command: list or delete");
    }

    @Command(description = "Lists durable and shared subscriptions, with what waits in them.")
    int list(@Mixin BrokerAccess access) throws IOException {
        JsonNode found = access.client().list(SUBSCRIPTIONS);
        PrintWriter out = spec.commandLine().getOut();
        if (access.isJson()) {
            out.println(found);
        } else {
            new BacklogText(out).subscriptions(found);
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    @Command(
            description =
                    "Removes a durable subscription that has no consumers, with its messages.")
    int delete(
            @Parameters(paramLabel = "ID", description = "its number, as the list shows it") int id,
            @Mixin Confirmation confirmation,
            @Mixin BrokerAccess access)
            throws IOException {
        AdminClient client = access.client();
        String number = String.valueOf(id);
        JsonNode found = client.get(SUBSCRIPTIONS, number);
        String question =
                "remove subscription '"
                        + found.path("name").asText()
                        + "' of topic '"
                        + found.path("topic").asText()
                        + "' with "
                        + found.path("backlog").path("messages").asLong()
                        + " messages";
        if (!confirmation.given(question)) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        JsonNode removed = client.ask("DELETE", Map.of(), SUBSCRIPTIONS, number);
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                access.isJson()
                        ? removed.toString()
                        : "removed with " + removed.path("messages").asLong() + " messages");
        out.flush();
        return CommandLine.ExitCode.OK;
    }
}
