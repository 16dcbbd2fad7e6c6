package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
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
public final class SubscriptionCommand extends CommandGroup {
    private static final String SUBSCRIPTIONS = "subscriptions";

    private SubscriptionCommand() {
        super("list or delete");
    }

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new SubscriptionCommand());
    }

    @Command(description = "Lists durable and shared subscriptions, with what waits in them.")
    int list(@Mixin ListOptions options, @Mixin BrokerAccess access) throws IOException {
        AdminClient client = access.client();
        JsonNode found = options.read(client, SUBSCRIPTIONS);
        return print(
                access, found, () -> new BacklogText(out(), client.none()).subscriptions(found));
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
        String text = "removed with " + removed.path("messages").asLong() + " messages";
        return print(access, removed, () -> out().println(text));
    }
}
