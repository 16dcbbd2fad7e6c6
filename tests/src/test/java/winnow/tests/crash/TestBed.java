package winnow.tests.crash;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/// Three nodes and their clients in network namespaces around one router, with a disk for each
/// node, as `tests/partitions` makes them. Links are cut by rules of the router, which drops
/// packets without a word; disks stand still by `fsfreeze` and are filled by a file. One thread.
final class TestBed {
    static final String CLIENTS = "client";
    static final List<String> NODES = List.of("a", "b", "c");

    private static final String FILLER = "filler";
    private static final byte[] FILLING = new byte[1 << 24];
    private static final long COMMAND_SECONDS = 60;
    private static final int JMS_PORT = 61_616;

    private final String prefix;
    private final Path directory;
    private final boolean disks;
    private final Set<String> frozen = new TreeSet<>();
    private final Set<String> slow = new TreeSet<>();
    private final List<List<String>> rules = new ArrayList<>();

    /// @param prefix of the names of namespaces
    /// @param directory with `disk-a` to `disk-c`, `hosts`, `users` and certificates
    /// @param disks whether those are file systems of their own
    TestBed(String prefix, Path directory, boolean disks) {
        this.prefix = prefix;
        this.directory = directory;
        this.disks = disks;
    }

    boolean hasDisks() {
        return disks;
    }

    static String address(String machine) {
        int number = machine.equals(CLIENTS) ? NODES.size() : NODES.indexOf(machine);
        return "10.77." + (number + 1) + ".2";
    }

    /// The URL by which clients find the nodes.
    static String url() {
        return "winnow://"
                + String.join(
                        ",", NODES.stream().map(name -> address(name) + ":" + JMS_PORT).toList())
                + "?username=load&password=load-password";
    }

    /// The machines of the nodes, by name.
    Map<String, NodePlace> machines() {
        Map<String, NodePlace> machines = new TreeMap<>();
        for (String name : NODES) {
            Path disk = directory.resolve("disk-" + name);
            machines.put(
                    name,
                    new NodePlace(
                            address(name),
                            List.of("ip", "netns", "exec", prefix + name),
                            disk.resolve("data"),
                            directory.resolve(name + ".log"),
                            List.of(
                                    "transport.bind=" + address(name),
                                    "transport.port=" + JMS_PORT,
                                    "cluster.advertised-address=" + address(name) + ":" + JMS_PORT,
                                    "security.users=" + directory.resolve("users"),
                                    "cluster.authority=" + directory.resolve("authority.pem"),
                                    "cluster.certificate=" + directory.resolve(name + ".pem"),
                                    "cluster.key=" + directory.resolve(name + ".key"))));
        }
        return machines;
    }

    /// Options by which virtual machines there know the others by name.
    String hosts() {
        return "-Djdk.net.hosts.file=" + directory.resolve("hosts");
    }

    /// Drops what one machine sends to another.
    void drop(String from, String to) throws IOException, InterruptedException {
        rule("from", address(from), "to", address(to));
    }

    /// Drops what two machines send to each other.
    void cut(String one, String other) throws IOException, InterruptedException {
        drop(one, other);
        drop(other, one);
    }

    /// Cuts a node off from all other nodes.
    void isolate(String node) throws IOException, InterruptedException {
        for (String other : others(node)) {
            cut(node, other);
        }
    }

    /// Cuts clients off from the port that a node has for them.
    void hide(String node) throws IOException, InterruptedException {
        String port = Integer.toString(JMS_PORT);
        rule("from", address(CLIENTS), "to", address(node), "ipproto", "tcp", "dport", port);
        rule("from", address(node), "to", address(CLIENTS), "ipproto", "tcp", "sport", port);
    }

    private void rule(String... selector) throws IOException, InterruptedException {
        List<String> rule =
                new ArrayList<>(List.of("priority", Integer.toString(100 + rules.size())));
        rule.addAll(List.of(selector));
        rule.add("blackhole");
        ip("rule", "add", rule);
        rules.add(rule);
    }

    /// Lets all packets through.
    void join() throws IOException, InterruptedException {
        for (List<String> rule : rules) {
            ip("rule", "del", rule);
        }
        rules.clear();
    }

    private void ip(String what, String action, Collection<String> rule)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("ip", "-n", prefix + "router", what, action));
        command.addAll(rule);
        run(command);
    }

    /// Slows the links of a node down to less than it has to say: late and lossy where the kernel
    /// can do that, else narrow, which makes packets late and loses some, too.
    void slowLink(String node) throws IOException, InterruptedException {
        for (String end : List.of(prefix + "router", prefix + node)) {
            String device = end.endsWith("router") ? "to-" + node : "eth0";
            List<String> add = List.of("tc", "-n", end, "qdisc", "replace", "dev", device, "root");
            List<String> late = new ArrayList<>(add);
            late.addAll(List.of("netem", "delay", "150ms", "100ms", "loss", "3%"));
            if (code(late) != 0) {
                List<String> narrow = new ArrayList<>(add);
                narrow.addAll(
                        List.of("tbf", "rate", "400kbit", "burst", "8kb", "latency", "700ms"));
                run(narrow);
            }
        }
        slow.add(node);
    }

    void fastLinks() throws IOException, InterruptedException {
        for (String node : slow) {
            run(
                    List.of(
                            "tc",
                            "-n",
                            prefix + "router",
                            "qdisc",
                            "del",
                            "dev",
                            "to-" + node,
                            "root"));
            run(List.of("tc", "-n", prefix + node, "qdisc", "del", "dev", "eth0", "root"));
        }
        slow.clear();
    }

    /// Lets all writes and syncs of a node wait.
    void freeze(String node) throws IOException, InterruptedException {
        run(List.of("fsfreeze", "--freeze", disk(node).toString()));
        frozen.add(node);
    }

    void thaw() throws IOException, InterruptedException {
        for (String node : List.copyOf(frozen)) {
            run(List.of("fsfreeze", "--unfreeze", disk(node).toString()));
            frozen.remove(node);
        }
    }

    /// Takes all the space that a node's disk has left.
    void fill(String node) throws IOException, InterruptedException {
        Path filler = disk(node).resolve(FILLER);
        long most = Files.getFileStore(disk(node)).getUsableSpace() - FILLING.length;
        if (most > 0) {
            run(List.of("fallocate", "--length", Long.toString(most), filler.toString()));
        }
        try (OutputStream rest =
                Files.newOutputStream(
                        filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (true) {
                rest.write(FILLING);
            }
        } catch (IOException e) {
            if (Files.getFileStore(disk(node)).getUsableSpace() > FILLING.length) {
                throw e;
            }
        }
    }

    void empty() throws IOException {
        for (String node : NODES) {
            Files.deleteIfExists(disk(node).resolve(FILLER));
        }
    }

    /// Ends all faults.
    void heal() throws IOException, InterruptedException {
        thaw();
        join();
        fastLinks();
        empty();
    }

    static List<String> others(String node) {
        return NODES.stream().filter(name -> !name.equals(node)).toList();
    }

    private Path disk(String node) {
        return directory.resolve("disk-" + node);
    }

    private static int code(List<String> command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        return process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            throw new IOException("expected exit code 0 of " + command + ", found: " + said);
        }
    }
}
