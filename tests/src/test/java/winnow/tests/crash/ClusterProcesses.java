package winnow.tests.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import winnow.store.Table;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;

/// Three brokers that are a cluster, each in a process of its own. Not thread-safe, but for
/// [#urls].
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

    private final Path directory;
    private final List<String> options;
    private final String nodes;

    /// Ports of clients, which outlive the processes.
    private final Map<String, Integer> ports = new TreeMap<>();

    private final Map<String, BrokerProcess> running = new TreeMap<>();
    private volatile List<String> urls = List.of();

    /// @param options of the virtual machines
    ClusterProcesses(Path directory, List<String> options) throws IOException {
        this.directory = directory;
        this.options = options;
        List<String> members = new ArrayList<>();
        for (String name : NAMES) {
            members.add(name + "=127.0.0.1:" + CrashRun.freePort());
            ports.put(name, CrashRun.freePort());
        }
        nodes = String.join(",", members);
    }

    /// Starts those that do not run, and waits until they answer.
    void start() throws IOException {
        for (String name : NAMES) {
            if (!running.containsKey(name)) {
                Files.createDirectories(directory);
                running.put(
                        name,
                        BrokerProcess.launch(
                                directory.resolve(name),
                                options,
                                List.of(
                                        "cluster.nodes=" + nodes,
                                        "cluster.node=" + name,
                                        "transport.port=" + ports.get(name))));
            }
        }
        for (BrokerProcess process : running.values()) {
            if (process.url().isEmpty() && !process.isReady()) {
                throw new IOException("a node ended: " + process.endOfLog());
            }
        }
        urls = running.values().stream().map(BrokerProcess::url).toList();
    }

    /// Addresses that clients may try. Any thread.
    List<String> urls() {
        return urls;
    }

    BrokerProcess process(String name) {
        BrokerProcess process = running.get(name);
        if (process == null) {
            throw new IllegalStateException("node " + name + " does not run");
        }
        return process;
    }

    List<String> followers(String leader) {
        return NAMES.stream().filter(name -> !name.equals(leader)).toList();
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
        return NAMES.stream().map(name -> rows(directory.resolve(name).resolve("store"))).toList();
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
