package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ScopeType;
import winnow.cli.Commands;
import winnow.wire.Printable;

/// `winnow topic`: shows the topics of a running broker that are in use.
@Command(
        name = "winnow topic",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Shows the topics of a running broker that have live subscriptions or open"
                        + " producers.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:no answer, or wrong credentials", "2:wrong usage"})
public final class TopicCommand extends CommandGroup {
    private TopicCommand() {
        super("list");
    }

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new TopicCommand());
    }

    @Command(
            description =
                    "Lists the topics by name: messages since the topic appeared, live"
                            + " subscriptions, and what holds its producers back.")
    int list(@Mixin ListOptions options, @Mixin BrokerAccess access) throws IOException {
        AdminClient client = access.client();
        JsonNode topics = options.read(client, "topics");
        return print(access, topics, () -> printAll(topics, client.none()));
    }

    private void printAll(JsonNode topics, String none) {
        if (topics.isEmpty()) {
            out().println(none);
            return;
        }
        out().println("        MESSAGES  SUBSCRIPTIONS  TOPIC");
        topics.forEach(topic -> print(topic, out()));
    }

    private static void print(JsonNode topic, PrintWriter out) {
        String blocked = topic.path("blockedBy").asText();
        out.printf(
                Locale.ROOT,
                "%,16d  %,13d  %s%s%s%n",
                topic.path("messages").asLong(),
                topic.path("subscriptions").asLong(),
                Printable.line(topic.path("name").asText()),
                topic.path("matching").asText().equals("linear") ? " (linear)" : "",
                blocked.isEmpty() ? "" : " (blocked: " + Printable.line(blocked) + ")");
    }
}
