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
import picocli.CommandLine.ScopeType;
import winnow.cli.Commands;

/// `winnow cluster`: tries several brokers that keep the same messages on one machine, and shows
/// what a node knows of its cluster.
@Command(
        name = "winnow cluster",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = CommandVersion.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        description = "Tries a cluster on this machine, and shows what a node knows of its own.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done, or stopped by a signal",
            "1:no answer, not part of a cluster, or nodes could not start or have all ended",
            "2:wrong usage"
        })
public final class ClusterCommand extends CommandGroup {
    private static final int MAX_NODES = 9;
    private static final int MAX_PORT = 65_535;

    private ClusterCommand() {
        super("try or status");
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
                        + " entries of the log each other node is behind."
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
                                        + found.path("leaderAddress").asText());
        out().printf(
                        Locale.ROOT,
                        "applied up to entry %d of %d confirmed ones%n",
                        found.path("applied").asLong(),
                        found.path("committed").asLong());
        for (Map.Entry<String, JsonNode> lag : found.path("lag").properties()) {
            out().printf(
                            Locale.ROOT,
                            "node %s is %d entries behind%n",
                            lag.getKey(),
                            lag.getValue().asLong());
        }
    }
}
