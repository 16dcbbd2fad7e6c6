package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import winnow.cli.Commands;

/// `winnow cluster`: tries several brokers that keep the same messages on one machine, shows what a
/// node knows of its cluster, moves the lead to another node, and adds and removes nodes.
@Command(
        name = "winnow cluster",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Tries a cluster on this machine, shows what a node knows of its own, moves the"
                        + " lead to another node, and adds and removes nodes.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, or stopped by a signal",
            "1:no answer, wrong credentials, not part of a cluster, a change that is refused or"
                    + " fails, or nodes could not start or have all ended",
            "2:wrong usage"
        })
public final class ClusterCommand extends CommandGroup {
    private static final int MAX_NODES = 9;
    private static final int MAX_PORT = 65_535;
    private static final long MILLIS_PER_SECOND = 1000;

    /// Shortest silence of a node that is shown; the leader asks several times a second.
    private static final long SILENT_MILLIS = 2000;

    private ClusterCommand() {
        super("try, status, lead, add or remove");
    }

    public static void main(String[] args) {
        System.exit(Commands.run(commandLine(), args));
    }

    /// The command, as [#main] runs it.
    public static CommandLine commandLine() {
        return Commands.line(new ClusterCommand());
    }

    /// First ports of the nodes; the next node has the next ones.
    static final class FirstPorts {
        @Option(
                names = "--port",
                paramLabel = "PORT",
                defaultValue = "61616",
                description = "port of clients of the first node, 0 for any (default: 61616)")
        private int clients;

        @Option(
                names = "--http-port",
                paramLabel = "PORT",
                defaultValue = "8161",
                description = "HTTP port of the first node, 0 for any (default: 8161)")
        private int http;

        @Option(
                names = "--cluster-port",
                paramLabel = "PORT",
                defaultValue = "61716",
                description = "port between nodes of the first node, 0 for any (default: 61716)")
        private int cluster;
    }

    @Command(
            name = "try",
            description = {
                "Starts the nodes of a cluster on this machine, prints where clients reach them,"
                        + " and runs until SIGTERM or SIGINT, which end all nodes. What they store"
                        + " is there at the next try.",
                "All nodes on one machine are for trying and tests: they share its disk and its"
                        + " end. $$WINNOW_BROKER_OPTS is for each of them."
            })
    int tryOut(
            @Option(
                            names = "--nodes",
                            paramLabel = "N",
                            defaultValue = "3",
                            description = "how many, 1 to 9 (default: 3)")
                    int nodes,
            @Option(
                            names = "--dir",
                            paramLabel = "DIR",
                            required = true,
                            description = "directory of their files and logs, made if needed")
                    Path directory,
            @Mixin FirstPorts ports,
            @Option(
                            names = "--output",
                            paramLabel = "FORMAT",
                            defaultValue = "text",
                            description =
                                    "text (default) or json, one line with url, leader, and of each"
                                            + " node its name, pid, ports and log")
                    SelectorCommand.Output output)
            throws IOException, InterruptedException {
        if (nodes < 1 || nodes > MAX_NODES) {
            throw new IllegalArgumentException("--nodes: expected 1 to 9, found " + nodes);
        }
        checked("--port", ports.clients, nodes);
        checked("--http-port", ports.http, nodes);
        checked("--cluster-port", ports.cluster, nodes);
        try (TrialCluster cluster =
                TrialCluster.start(
                        directory,
                        new TrialCluster.Ports(ports.clients, ports.http, ports.cluster),
                        nodes)) {
            Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "winnow-stop"));
            cluster.reportEnds(err());
            cluster.awaitLeader();
            cluster.print(out(), output == SelectorCommand.Output.JSON);
            cluster.awaitEnd();
        }
        throw new IOException("all nodes have ended; their logs are in " + directory);
    }

    private static void checked(String option, int first, int nodes) {
        if (first < 0 || first > MAX_PORT - nodes + 1) {
            throw new IllegalArgumentException(
                    option + ": expected 0 to " + (MAX_PORT - nodes + 1) + ", found " + first);
        }
    }

    @Command(
            description = {
                "Shows the role of a node, who leads, and, if the node leads itself, how many"
                        + " entries of the log each other node is behind, and for how long one has"
                        + " not answered."
            })
    int status(@Mixin BrokerAccess access) throws IOException {
        JsonNode found = access.client().page("/health/cluster");
        return print(access, found, () -> printStatus(found));
    }

    private void printStatus(JsonNode found) {
        out().printf(
                        Locale.ROOT,
                        "node %s: %s, term %d%n",
                        found.path("node").asText(),
                        found.path("role").asText(),
                        found.path("term").asLong());
        String leader = found.path("leader").asText();
        out().println(
                        leader.isEmpty()
                                ? "no leader is known"
                                : "leader "
                                        + leader
                                        + ", clients at "
                                        + found.path("leaderAddress").asText()
                                        + http(found.path("leaderUrl").asText()));
        out().printf(
                        Locale.ROOT,
                        "applied up to entry %d of %d confirmed ones%n",
                        found.path("applied").asLong(),
                        found.path("committed").asLong());
        for (Map.Entry<String, JsonNode> lag : found.path("lag").properties()) {
            long silentMillis = found.path("silentMillis").path(lag.getKey()).asLong();
            out().println(follower(lag.getKey(), lag.getValue(), silentMillis));
        }
    }

    private static String http(String url) {
        return url.isEmpty() ? "" : ", HTTP at " + url;
    }

    private static String follower(String node, JsonNode lag, long silentMillis) {
        boolean silent = silentMillis >= SILENT_MILLIS;
        String time = "for " + silentMillis / MILLIS_PER_SECOND + " s";
        if (lag.isNull()) {
            return "node "
                    + node
                    + (silent ? " has not answered since this one leads, " + time + ";" : ":")
                    + " how far it is behind is not known";
        }
        return "node "
                + node
                + " is "
                + lag.asLong()
                + " entries behind"
                + (silent ? ", and has not answered " + time : "");
    }

    @Command(
            description = {
                "Moves the lead to another node, so that this one can be stopped without an"
                        + " election. Clients lose their connections and look for the new leader.",
                "The node at --url has to lead; 'winnow cluster status' tells which one does. A"
                        + " node that is stopped by SIGTERM moves its lead by itself."
            })
    int lead(
            @Parameters(paramLabel = "NODE", description = "name of the node that is to lead")
                    String node,
            @Mixin BrokerAccess access)
            throws IOException {
        JsonNode moved = access.client().ask("POST", Map.of(), "cluster", "nodes", node, "lead");
        return print(
                access,
                moved,
                () ->
                        out().println(
                                        "node "
                                                + moved.path("leader").asText()
                                                + " leads; before it was node "
                                                + moved.path("former").asText()));
    }

    @Command(
            description = {
                "Makes a broker a node of the cluster while it runs, and waits until it has what"
                        + " the others have.",
                "The broker has to run with cluster.join=true and the others in cluster.nodes. The"
                        + " node at --url has to lead. Adding a node again changes nothing."
            })
    int add(
            @Parameters(
                            paramLabel = "NAME=HOST:PORT",
                            description = "its cluster.node, and where the others reach it")
                    String member,
            @Mixin BrokerAccess access)
            throws IOException {
        int equals = member.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException(
                    "expected a node as NAME=HOST:PORT, found '" + member + "'");
        }
        String name = member.substring(0, equals);
        Map<String, String> parameters = Map.of("address", member.substring(equals + 1));
        return change(access, "POST", parameters, name, "is a node of the cluster");
    }

    @Command(
            description = {
                "Makes a broker no node of the cluster any more, so that it does not count for the"
                        + " majority. Then it can be stopped, and its files removed.",
                "The node at --url has to lead, and cannot be removed itself. Removing a node again"
                        + " changes nothing."
            })
    int remove(
            @Parameters(paramLabel = "NODE", description = "name of the node") String node,
            @Mixin BrokerAccess access)
            throws IOException {
        return change(access, "DELETE", Map.of(), node, "is no node of the cluster");
    }

    /// Asks for a change until it is complete; an answer may take some seconds.
    private int change(
            BrokerAccess access,
            String method,
            Map<String, String> parameters,
            String node,
            String done)
            throws IOException {
        AdminClient client = access.client();
        JsonNode found;
        do {
            found = client.ask(method, parameters, "cluster", "nodes", node);
        } while (!found.path("complete").asBoolean());
        return print(access, found, () -> out().println("node " + node + " " + done));
    }
}
