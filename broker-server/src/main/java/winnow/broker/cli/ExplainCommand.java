package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import winnow.cli.Commands;

/// `winnow explain`: asks a running broker how a subscription's selector is found and what it
/// costs.
@Command(
        name = "winnow explain",
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        description =
                "Asks a running broker how the selector of a subscription is found, what was"
                        + " observed of it, what it costs and whether it saves work. Without ID it"
                        + " lists the subscriptions of TOPIC, without TOPIC the topics.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:answered",
            "1:no answer, no such topic or subscription, wrong credentials",
            "2:wrong usage"
        })
public final class ExplainCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "TOPIC", description = "name of a topic")
    private @Nullable String topic;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ID",
            description = "number of a subscription, as the list shows it")
    private @Nullable Integer id;

    @Mixin private final BrokerAccess access = new BrokerAccess();

    @Spec private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new ExplainCommand());
    }

    @Override
    public Integer call() throws IOException {
        AdminClient broker = access.client();
        ExplanationText text = new ExplanationText(spec.commandLine().getOut());
        if (topic == null) {
            JsonNode topics = broker.list("topics");
            print(topics, () -> text.topics(topics));
        } else if (id == null) {
            JsonNode subscriptions = broker.list("topics", topic, "subscriptions");
            print(subscriptions, () -> text.subscriptions(subscriptions));
        } else {
            JsonNode answer =
                    broker.get("topics", topic, "subscriptions", id.toString(), "explain");
            print(answer, () -> text.explanation(answer));
        }
        return CommandLine.ExitCode.OK;
    }

    private void print(JsonNode answer, Runnable asText) {
        PrintWriter out = spec.commandLine().getOut();
        if (access.isJson()) {
            out.println(answer);
        } else {
            asText.run();
        }
        out.flush();
    }
}
