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
public final class ConnectionCommand extends CommandGroup {
    private static final String CONNECTIONS = "connections";

    private ConnectionCommand() {
        super("list or close");
    }

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new ConnectionCommand());
    }

    @Command(
            description =
                    "Lists the connections; --name is for the client, its application, host, user"
                            + " or address. A client is away if its connection was lost and it may"
                            + " come back within session.resume-timeout.")
    int list(@Mixin ListOptions options, @Mixin BrokerAccess access) throws IOException {
        AdminClient client = access.client();
        JsonNode found = options.read(client, CONNECTIONS);
        return print(access, found, () -> printAll(found, client.none("no client is connected")));
    }

    private void printAll(JsonNode found, String none) {
        if (found.isEmpty()) {
            out().println(none);
            return;
        }
        out().println(
                        "CONNECTION        SUBSCRIPTIONS  PRODUCERS "
                                + " ADDRESS, USER, CLIENT, APPLICATION, HOST");
        for (JsonNode one : found) {
            out().printf(
                            Locale.ROOT,
                            "%-16s  %13d  %9d  %s%n",
                            one.path("id").asText(),
                            one.path("subscriptions").asInt(),
                            one.path("producers").asInt(),
                            who(one) + (one.path("away").asBoolean() ? " (away)" : ""));
        }
    }

    private static String who(JsonNode connection) {
        return String.join(
                ", ",
                connection.path("address").asText(),
                text(connection.path("user")),
                text(connection.path("client")),
                text(connection.path("application")),
                text(connection.path("host")));
    }

    private static String text(JsonNode name) {
        return name.asText().isEmpty() ? "-" : Printable.of(name.asText());
    }

    @Command(
            description =
                    "Closes a connection: what it has not acknowledged comes again, and what its"
                            + " transactions have not committed is undone. Of a client that is away"
                            + " nothing is kept any more.")
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
        return print(access, closed, () -> out().println("closed: " + who(closed)));
    }
}
