package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Nodes of a cluster on this machine, each in a process of its own, with the class path and the
/// options of this one.
final class TrialCluster implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final long READY_SECONDS = 60;
    private static final long STOP_SECONDS = 20;
    private static final long LOOK_MILLIS = 100;

    private final List<Node> nodes;
    private String leader = "";

    /// First ports, 0 for any.
    record Ports(int clients, int http, int cluster) {}

    private record Node(
            String name, int port, int httpPort, int clusterPort, Path log, Process process) {}

    private TrialCluster(List<Node> nodes) {
        this.nodes = nodes;
    }

    /// Starts the nodes, and waits until all answer. Blocks.
    ///
    /// @throws IOException if one of them does not start
    static TrialCluster start(Path directory, Ports first, int count) throws IOException {
        Files.createDirectories(directory);
        List<Integer> clients = ports(first.clients, count);
        List<Integer> http = ports(first.http, count);
        List<Integer> cluster = ports(first.cluster, count);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(Character.toString('a' + i));
        }
        StringBuilder members = new StringBuilder();
        for (int i = 0; i < count; i++) {
            members.append(i == 0 ? "" : ",")
                    .append(names.get(i) + "=" + HOST + ":" + cluster.get(i));
        }
        List<Node> nodes = new ArrayList<>();
        TrialCluster made = new TrialCluster(nodes);
        boolean started = false;
        try {
            for (int i = 0; i < count; i++) {
                String name = names.get(i);
                Path log = directory.resolve(name + ".log");
                List<String> command = command();
                command.addAll(
                        List.of(
                                "--data=" + directory.resolve(name),
                                "--port=" + clients.get(i),
                                "--http-port=" + http.get(i),
                                "--set=cluster.nodes=" + members,
                                "--set=cluster.node=" + name));
                Process process =
                        new ProcessBuilder(command)
                                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                                .start();
                nodes.add(
                        new Node(name, clients.get(i), http.get(i), cluster.get(i), log, process));
            }
            for (Node node : nodes) {
                awaitReady(node);
            }
            started = true;
            return made;
        } finally {
            if (!started) {
                made.close();
            }
        }
    }

    private static List<Integer> ports(int first, int count) throws IOException {
        List<Integer> ports = new ArrayList<>();
        List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (first > 0) {
                ports.add(first + i);
            } else {
                ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(any);
                ports.add(any.getLocalPort());
            }
        }
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return ports;
    }

    /// A broker with the virtual machine of this process, but for what makes short commands quick.
    private static List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith("-XX:TieredStopAtLevel"))
                .forEach(command::add);
        String options = System.getenv().getOrDefault("WINNOW_BROKER_OPTS", "").strip();
        if (!options.isEmpty()) {
            command.addAll(List.of(options.split("\\s+")));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "winnow.broker.Main"));
        return command;
    }

    private static void awaitReady(Node node) throws IOException {
        BufferedReader lines = node.process.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("winnow ready:")) {
                return;
            }
        }
        throw new IOException("node " + node.name + " ended: see " + node.log);
    }

    /// Waits until a node leads. Blocks.
    void awaitLeader() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (System.nanoTime() < deadline) {
            for (Node node : nodes) {
                if (role(node).equals("leader")) {
                    leader = node.name;
                    return;
                }
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        throw new IOException("no node leads after " + READY_SECONDS + " s");
    }

    private static String role(Node node) {
        AdminClient client =
                new AdminClient(HttpUrl.parse("http://" + HOST + ":" + node.httpPort), "", "");
        try {
            JsonNode status = client.page("/health/cluster");
            return status.path("role").asText();
        } catch (IOException e) {
            // It is changing its role.
            return "";
        }
    }

    private String url() {
        return nodes.stream()
                .map(node -> HOST + ":" + node.port)
                .collect(Collectors.joining(",", "winnow://", ""));
    }

    void print(PrintWriter out, boolean json) {
        if (json) {
            ObjectNode all = SelectorCommand.JSON.createObjectNode();
            all.put("url", url());
            all.put("leader", leader);
            ArrayNode list = all.putArray("nodes");
            for (Node node : nodes) {
                list.addObject()
                        .put("node", node.name)
                        .put("pid", node.process.pid())
                        .put("port", node.port)
                        .put("httpPort", node.httpPort)
                        .put("clusterPort", node.clusterPort)
                        .put("log", node.log.toString());
            }
            out.println(all);
        } else {
            out.println("winnow cluster ready: " + url());
            out.println("NODE       PID  CLIENTS   HTTP  NODES  LOG");
            for (Node node : nodes) {
                out.printf(
                        "%-4s  %8d  %7d  %5d  %5d  %s%n",
                        node.name,
                        node.process.pid(),
                        node.port,
                        node.httpPort,
                        node.clusterPort,
                        node.log);
            }
            out.println("Node " + leader + " leads. SIGINT or SIGTERM ends all nodes.");
        }
        out.flush();
    }

    /// Waits until no node runs any more. Blocks.
    void awaitEnd() throws InterruptedException {
        for (Node node : nodes) {
            node.process.waitFor();
        }
    }

    @Override
    public void close() {
        nodes.forEach(node -> node.process.destroy());
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
        for (Node node : nodes) {
            try {
                long left = Math.max(0, deadline - System.nanoTime());
                if (!node.process.waitFor(left, TimeUnit.NANOSECONDS)) {
                    node.process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                node.process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
