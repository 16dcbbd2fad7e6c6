package winnow.broker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

    private static final int SIGNALLED = 128;

    private final List<Node> nodes;
    private final FileChannel lock;
    private volatile boolean closing;
    private String leader = "";

    /// First ports, 0 for any.
    record Ports(int clients, int http, int cluster) {}

    /// @param options of the broker
    private record Node(
            String name,
            int port,
            int httpPort,
            int clusterPort,
            Path log,
            List<String> options,
            Process process) {}

    private TrialCluster(List<Node> nodes, FileChannel lock) {
        this.nodes = nodes;
        this.lock = lock;
    }

    /// Starts the nodes, and waits until all answer. Blocks.
    ///
    /// @throws IOException if the directory is in use, or one of them does not start
    static TrialCluster start(Path directory, Ports first, int count) throws IOException {
        Files.createDirectories(directory);
        TrialCluster made = new TrialCluster(new ArrayList<>(), lock(directory));
        boolean started = false;
        try {
            made.startAll(directory, first, count);
            started = true;
            return made;
        } finally {
            if (!started) {
                made.close();
            }
        }
    }

    /// Keeps a second command away for as long as the file is open, and does so with nodes that
    /// have outlived theirs.
    private static FileChannel lock(Path directory) throws IOException {
        FileChannel file =
                FileChannel.open(
                        directory.resolve("try.lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        if (!isFree(file)) {
            file.close();
            throw new IOException(
                    directory
                            + " is in use by another 'winnow cluster try': end that one first, or"
                            + " give another --dir");
        }
        return file;
    }

    private static boolean isFree(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /// Refuses a node whose store is open in a process of another command.
    private static void demandUnused(Path data) throws IOException {
        Path file = data.resolve("store").resolve("lock");
        if (!Files.exists(file)) {
            return;
        }
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (!isFree(open)) {
                throw new IOException(
                        data
                                + " is in use by a broker that runs: end that one first, or give"
                                + " another --dir");
            }
        }
    }

    private void startAll(Path directory, Ports first, int count) throws IOException {
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
        for (String name : names) {
            demandUnused(directory.resolve(name));
        }
        for (int i = 0; i < count; i++) {
            String name = names.get(i);
            Path log = directory.resolve(name + ".log");
            List<String> options =
                    List.of(
                            "--data=" + directory.resolve(name),
                            "--set=http.socket=" + directory.resolve(name + "/admin.sock"),
                            "--port=" + clients.get(i),
                            "--http-port=" + http.get(i),
                            "--set=cluster.nodes=" + members,
                            "--set=cluster.node=" + name);
            List<String> command = command();
            command.addAll(options);
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start();
            nodes.add(
                    new Node(
                            name,
                            clients.get(i),
                            http.get(i),
                            cluster.get(i),
                            log,
                            options,
                            process));
        }
        for (Node node : nodes) {
            awaitReady(node);
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

    /// Has each node that ends, unless all are ended, reported in a line.
    void reportEnds(PrintWriter out) {
        for (Node node : nodes) {
            var _ =
                    node.process
                            .onExit()
                            .thenAccept(ended -> {
                                if (!closing) {
                                    out.println(end(node, ended.exitValue()));
                                    out.flush();
                                }
                            });
        }
    }

    private static String end(Node node, int exitCode) {
        return "Node "
                + node.name
                + (exitCode > SIGNALLED
                        ? " was ended by signal " + (exitCode - SIGNALLED)
                        : " has ended with exit code " + exitCode)
                + "; its log is "
                + node.log
                + ". To start it again: ./winnow broker "
                + node.options.stream().map(TrialCluster::quoted).collect(Collectors.joining(" "));
    }

    /// As a shell takes it for one word.
    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_=:,./+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /// Waits until no node runs any more. Blocks.
    void awaitEnd() throws InterruptedException {
        for (Node node : nodes) {
            node.process.waitFor();
        }
    }

    @Override
    public void close() {
        closing = true;
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
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
