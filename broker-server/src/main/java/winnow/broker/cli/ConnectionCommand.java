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
import winnow.wire.Printable;

/// `winnow connection`: shows the connections of clients to a running broker, and closes one.
@Command(
        name = "winnow connection",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Shows the connections of clients to a running broker, and closes one. A client"
                        + " may connect again: take its user out of the user file first, and have"
                        + " the broker reload it, which closes its connections, too.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:no answer, no such connection, or wrong credentials",
            "2:wrong usage"
        })
public final class ConnectionCommand implements Runnable {
    private static final String CONNECTIONS = "connections";

    @Spec private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    static CommandLine commandLine() {
        return Commands.line(new ConnectionCommand());
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "expected a command: list or close");
    }

    @Command(description = "Lists the connections.")
    int list(@Mixin BrokerAccess access) throws IOException {
        JsonNode found = access.client().list(CONNECTIONS);
        PrintWriter out = spec.commandLine().getOut();
        if (access.isJson()) {
            out.println(found);
        } else if (found.isEmpty()) {
            out.println("no client is connected");
        } else {
            out.println("CONNECTION        SUBSCRIPTIONS  PRODUCERS  ADDRESS, USER, CLIENT");
            for (JsonNode one : found) {
                out.printf(
                        Locale.ROOT,
                        "%-16s  %13d  %9d  %s%n",
                        one.path("id").asText(),
                        one.path("subscriptions").asInt(),
                        one.path("producers").asInt(),
                        who(one));
            }
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private static String who(JsonNode connection) {
        return String.join(
                ", ",
                connection.path("address").asText(),
                text(connection.path("user")),
                text(connection.path("client")));
    }

    private static String text(JsonNode name) {
        return name.asText().isEmpty() ? "-" : Printable.of(name.asText());
    }

    @Command(
            description =
                    "Closes a connection: what it has not acknowledged comes again, and what its"
                            + " transactions have not committed is undone.")
    int close(
            @Parameters(paramLabel = "CONNECTION", description = "number, as the list shows it")
                    String connection,
            @Mixin Confirmation confirmation,
            @Mixin BrokerAccess access)
            throws IOException {
        if (!confirmation.given("close connection " + connection)) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        JsonNode closed = access.client().ask("DELETE", Map.of(), CONNECTIONS, connection);
        PrintWriter out = spec.commandLine().getOut();
        out.println(access.isJson() ? closed.toString() : "closed: " + who(closed));
        out.flush();
        return CommandLine.ExitCode.OK;
    }
}
