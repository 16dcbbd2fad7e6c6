package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import winnow.cli.Commands;
import winnow.wire.Printable;

/// `winnow queue`: shows the queues of a running broker and what waits in them, and changes it.
@Command(
        name = "winnow queue",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Shows the queues of a running broker and the messages that wait in them, and"
                        + " removes, moves or retries these; makes, pauses and removes queues.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:no answer, no such queue, it is in use, or wrong credentials",
            "2:wrong usage"
        })
public final class QueueCommand extends CommandGroup {
    private static final String SELECTOR = "--selector";
    private static final String OF_SELECTOR = "only messages that this message selector matches";
    private static final String TEXT = "TEXT";
    private static final String QUEUE = "QUEUE";
    private static final String QUEUES = "queues";

    private QueueCommand() {
        super("list, create, pause, resume, browse, purge, move, retry or delete");
    }

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new QueueCommand());
    }

    @Command(description = "Lists the queues by name, with what waits in them.")
    int list(@Mixin ListOptions options, @Mixin BrokerAccess access) throws IOException {
        AdminClient client = access.client();
        JsonNode queues = options.read(client, QUEUES);
        return print(access, queues, () -> new BacklogText(out(), client.none()).queues(queues));
    }

    @Command(description = "Makes a queue, unless it is there. Its first use makes one, too.")
    int create(
            @Parameters(paramLabel = QUEUE, description = "name of the queue") String queue,
            @Mixin BrokerAccess access)
            throws IOException {
        JsonNode made = access.client().ask("POST", Map.of(), QUEUES, queue);
        return print(access, made, () -> out().println(named(queue) + " is there"));
    }

    @Command(
            description = {
                "Keeps the messages of a queue back from its consumers, until it is resumed, also"
                        + " after the next start of the broker.",
                "Producers go on. Consumers give back what they were sent and have not begun; what"
                        + " they have begun they may finish."
            })
    int pause(
            @Parameters(paramLabel = QUEUE, description = "name of the queue") String queue,
            @Mixin BrokerAccess access)
            throws IOException {
        return change(access, queue, "pause", "paused");
    }

    @Command(description = "Lets the consumers of a queue that was paused have its messages.")
    int resume(
            @Parameters(paramLabel = QUEUE, description = "name of the queue") String queue,
            @Mixin BrokerAccess access)
            throws IOException {
        return change(access, queue, "resume", "no longer paused");
    }

    private int change(BrokerAccess access, String queue, String what, String done)
            throws IOException {
        JsonNode changed = access.client().ask("POST", Map.of(), QUEUES, queue, what);
        return print(access, changed, () -> out().println(named(queue) + " is " + done));
    }

    private static String named(String queue) {
        return "queue '" + Printable.of(queue) + "'";
    }

    @Command(
            description = {
                "Shows messages that wait for a consumer, in the order of delivery, and leaves"
                        + " them where they are.",
                "What consumers have and what waits for its delivery time is not shown."
            })
    int browse(
            @Parameters(paramLabel = QUEUE, description = "name of the queue") String queue,
            @Option(
                            names = SELECTOR,
                            paramLabel = TEXT,
                            defaultValue = "",
                            description = OF_SELECTOR)
                    String selector,
            @Option(
                            names = "--limit",
                            paramLabel = "NUMBER",
                            defaultValue = "10",
                            description = "so many at most (default: ${DEFAULT-VALUE})")
                    int limit,
            @Mixin BrokerAccess access)
            throws IOException {
        Map<String, String> parameters =
                Map.of("selector", selector, "limit", String.valueOf(limit));
        AdminClient client = access.client();
        JsonNode messages = client.ask("GET", parameters, QUEUES, queue, "messages");
        return print(
                access, messages, () -> new BacklogText(out(), client.none()).messages(messages));
    }

    @Command(description = "Removes messages that wait for a consumer.")
    int purge(
            @Parameters(paramLabel = QUEUE, description = "name of the queue") String queue,
            @Option(
                            names = SELECTOR,
                            paramLabel = TEXT,
                            defaultValue = "",
                            description = OF_SELECTOR)
                    String selector,
            @Mixin Confirmation confirmation,
            @Mixin BrokerAccess access)
            throws IOException {
        String which = selector.isEmpty() ? "all messages" : "the messages that match";
        AdminClient client = access.client();
        client.get(QUEUES, queue);
        if (!confirmation.given("remove " + which + " of queue '" + queue + "'")) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        long done = repeat(client, "DELETE", Map.of("selector", selector), queue, "messages");
        String left = "consumers have them, or they are delayed or new";
        return printDone(
                access, done, "removed" + (selector.isEmpty() ? left(client, queue, left) : ""));
    }

    /// Reason why a queue that was emptied has messages, empty if it has none.
    private static String left(AdminClient client, String queue, String why) throws IOException {
        long messages = client.get(QUEUES, queue).path("backlog").path("messages").asLong();
        return messages == 0 ? "" : "; left: " + messages + " (" + why + ")";
    }

    @Command(
            description = {
                "Moves messages that wait for a consumer to another queue.",
                "They come to its end; it is made if it is not there."
            })
    int move(
            @Parameters(paramLabel = QUEUE, description = "name of the queue") String queue,
            @Parameters(paramLabel = "TARGET", description = "name of the other queue")
                    String target,
            @Option(
                            names = SELECTOR,
                            paramLabel = TEXT,
                            defaultValue = "",
                            description = OF_SELECTOR)
                    String selector,
            @Mixin BrokerAccess access)
            throws IOException {
        Map<String, String> parameters = Map.of("selector", selector, "to", target);
        long done = repeat(access.client(), "POST", parameters, queue, "move");
        return printDone(access, done, "moved");
    }

    @Command(
            description = {
                "Moves dead letters back to the queues that they come from.",
                "Those that come from a topic stay."
            })
    int retry(
            @Parameters(
                            paramLabel = QUEUE,
                            defaultValue = "winnow.dead",
                            description = "name of the dead-letter queue (${DEFAULT-VALUE})")
                    String queue,
            @Option(
                            names = SELECTOR,
                            paramLabel = TEXT,
                            defaultValue = "",
                            description = OF_SELECTOR)
                    String selector,
            @Mixin BrokerAccess access)
            throws IOException {
        AdminClient client = access.client();
        Map<String, String> parameters = Map.of("selector", selector);
        long done = repeat(client, "POST", parameters, queue, "retry");
        String left = "from topics, for queues that you may not send to, or with consumers";
        return printDone(
                access, done, "moved back" + (selector.isEmpty() ? left(client, queue, left) : ""));
    }

    @Command(description = "Removes a queue that has no consumers, with its messages.")
    int delete(
            @Parameters(paramLabel = QUEUE, description = "name of the queue") String queue,
            @Mixin Confirmation confirmation,
            @Mixin BrokerAccess access)
            throws IOException {
        AdminClient client = access.client();
        long messages = client.get(QUEUES, queue).path("backlog").path("messages").asLong();
        String question = "remove queue '" + queue + "' with " + messages + " messages";
        if (!confirmation.given(question)) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        JsonNode removed = client.ask("DELETE", Map.of(), QUEUES, queue);
        String text = named(queue) + " removed, with " + count(removed.path("messages").asLong());
        return print(access, removed, () -> out().println(text));
    }

    private static String count(long messages) {
        return messages + (messages == 1 ? " message" : " messages");
    }

    /// The broker does a part at a time. What stays where it is is looked at anew with each part,
    /// so a part that has found nothing is the last one.
    private static long repeat(
            AdminClient client,
            String method,
            Map<String, String> parameters,
            String queue,
            String what)
            throws IOException {
        long done = 0;
        while (true) {
            JsonNode part = client.ask(method, parameters, QUEUES, queue, what);
            long messages = part.path("messages").asLong();
            done += messages;
            if (part.path("complete").asBoolean() || messages == 0) {
                return done;
            }
        }
    }

    private int printDone(BrokerAccess access, long messages, String what) {
        ObjectNode answer = SelectorCommand.JSON.createObjectNode().put("messages", messages);
        String text = count(messages) + " " + what;
        return print(access, answer, () -> out().println(text));
    }
}
