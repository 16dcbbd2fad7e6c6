package winnow.tests.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import winnow.store.Table;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;

/// Three brokers that are a cluster, each in a process of its own. Not thread-safe, but for [#url].
final class ClusterProcesses implements AutoCloseable {
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final Pattern APPLIED = Pattern.compile("\"applied\":(\\d+)");
    private static final long TIMEOUT_SECONDS = 60;
    private static final long LOOK_MILLIS = 50;
    private static final byte[] FIRST = {};
    private static final byte[] LAST = new byte[256];

    static {
        Arrays.fill(LAST, (byte) 0xFF);
    }

    private final Map<String, NodePlace> places;
    private final String main;
    private final List<String> options;
    private final List<String> settings;
    private final List<String> names = new ArrayList<>(NAMES);
    private final Set<String> joining = new TreeSet<>();
    private String nodes;

    /// Ports of clients, which outlive the processes.
    private final Map<String, Integer> ports = new TreeMap<>();

    private final Map<String, BrokerProcess> running = new TreeMap<>();
    private final Set<String> paused = new TreeSet<>();
    private volatile String url = "";

    /// @param options of the virtual machines
    ClusterProcesses(Path directory, List<String> options) throws IOException {
        this(local(directory), BrokerProcess.MAIN, options, List.of());
    }

    /// @param places where nodes run, by their names
    /// @param main class of the nodes
    /// @param options of the virtual machines
    /// @param settings of all, as `key=value`
    ClusterProcesses(
            Map<String, NodePlace> places, String main, List<String> options, List<String> settings)
            throws IOException {
        this.settings = settings;
        this.places = new TreeMap<>(places);
        this.main = main;
        this.options = options;
        List<String> members = new ArrayList<>();
        for (String name : NAMES) {
            String host = place(name).command().isEmpty() ? place(name).host() : name;
            members.add(name + "=" + host + ":" + CrashRun.freePort());
            ports.put(name, CrashRun.freePort());
        }
        nodes = String.join(",", members);
    }

    /// Starts a further broker, which waits to be added.
    ///
    /// @return its address between nodes
    String startFurther(String name) throws IOException {
        String address = "127.0.0.1:" + CrashRun.freePort();
        nodes += "," + name + "=" + address;
        names.add(name);
        joining.add(name);
        ports.put(name, CrashRun.freePort());
        places.put(name, NodePlace.local(place("a").directory().resolveSibling(name)));
        start();
        return address;
    }

    /// Ends a node that was removed from the cluster, and starts it no more.
    ///
    /// @return its exit code
    int retire(String name) throws IOException, InterruptedException {
        names.remove(name);
        return stop(name);
    }

    /// Machines that are all this one.
    static Map<String, NodePlace> local(Path directory) throws IOException {
        Files.createDirectories(directory);
        return NAMES.stream()
                .collect(
                        Collectors.toMap(
                                Function.identity(),
                                name -> NodePlace.local(directory.resolve(name))));
    }

    private NodePlace place(String name) {
        return Objects.requireNonNull(places.get(name), name);
    }

    /// Starts those that do not run, and waits until they answer.
    void start() throws IOException {
        for (String name : names) {
            launch(name);
        }
        for (BrokerProcess process : running.values()) {
            awaitReady(process);
        }
        url =
                running.values().stream()
                        .map(process -> process.url().replace("winnow://", ""))
                        .collect(Collectors.joining(",", "winnow://", ""));
    }

    /// Starts one, unless it runs, and waits until it answers.
    void start(String name) throws IOException {
        launch(name);
        awaitReady(process(name));
    }

    private void launch(String name) throws IOException {
        BrokerProcess before = running.get(name);
        if (before == null || !before.isAlive()) {
            List<String> all = new ArrayList<>(settings);
            all.add("cluster.nodes=" + nodes);
            all.add("cluster.node=" + name);
            all.add("cluster.join=" + joining.contains(name));
            all.add("transport.port=" + ports.get(name));
            running.put(name, BrokerProcess.launch(place(name), main, options, all));
        }
    }

    private static void awaitReady(BrokerProcess process) throws IOException {
        if (process.url().isEmpty() && !process.isReady()) {
            throw new IOException("a node ended: " + process.endOfLog());
        }
    }

    /// URL of clients, with the addresses of all. Any thread.
    String url() {
        return url;
    }

    BrokerProcess process(String name) {
        BrokerProcess process = running.get(name);
        if (process == null) {
            throw new IllegalStateException("node " + name + " does not run");
        }
        return process;
    }

    List<String> followers(String leader) {
        return names.stream().filter(name -> !name.equals(leader)).toList();
    }

    /// Waits until a node leads, and tells which.
    String leader() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (System.nanoTime() < deadline) {
            for (Map.Entry<String, BrokerProcess> node : running.entrySet()) {
                if (node.getValue().page("/health/ready").startsWith("ready: leader")) {
                    return node.getKey();
                }
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        throw new IOException("no node leads after " + TIMEOUT_SECONDS + " s");
    }

    /// Ends a node in order.
    ///
    /// @return its exit code
    int stop(String name) throws IOException, InterruptedException {
        int code = process(name).stop();
        running.remove(name);
        return code;
    }

    void kill(String name) throws IOException, InterruptedException {
        process(name).kill();
        running.remove(name);
    }

    /// Stops one by SIGSTOP.
    void pause(String name) throws IOException, InterruptedException {
        process(name).signal("STOP");
        paused.add(name);
    }

    /// Lets those go on that were stopped.
    void resume() throws IOException, InterruptedException {
        for (String name : paused) {
            process(name).signal("CONT");
        }
        paused.clear();
    }

    /// Waits until one leads and the others follow it.
    void awaitTogether() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (true) {
            List<String> found = new ArrayList<>();
            for (String name : names) {
                found.add(name + " " + process(name).page("/health/ready").strip());
            }
            String leader = leader();
            long following =
                    found.stream().filter(one -> one.endsWith("follower of " + leader)).count();
            if (following == names.size() - 1) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("expected followers of " + leader + ", found " + found);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /// Waits until all have applied the same entries, kills all, and returns the rows of each.
    List<Map<String, String>> rows() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (applied().stream().distinct().count() != 1) {
            if (System.nanoTime() > deadline) {
                throw new IOException("expected the same entries on all, found " + applied());
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        for (String name : List.copyOf(running.keySet())) {
            kill(name);
        }
        return names.stream().map(name -> rows(place(name).directory().resolve("store"))).toList();
    }

    private List<String> applied() throws IOException, InterruptedException {
        List<String> indexes = new ArrayList<>();
        for (BrokerProcess process : running.values()) {
            Matcher applied = APPLIED.matcher(process.page("/health/cluster"));
            indexes.add(applied.find() ? applied.group(1) : "none");
        }
        return indexes;
    }

    private static Map<String, String> rows(Path store) {
        Map<String, String> rows = new TreeMap<>();
        try (RocksShardLog tables =
                RocksShardLog.open(store, Runnable::run, RocksSettings.within(16 << 20))) {
            for (Table table : Table.values()) {
                tables.scan(
                        table,
                        FIRST,
                        LAST,
                        (key, value) -> {
                            rows.put(
                                    table + " " + HexFormat.of().formatHex(key),
                                    HexFormat.of().formatHex(value));
                            return true;
                        });
            }
        }
        return rows;
    }

    @Override
    public void close() {
        running.values().forEach(BrokerProcess::close);
    }
}
