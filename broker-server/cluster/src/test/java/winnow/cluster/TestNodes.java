package winnow.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.rpc.SupportedRpcType;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;
import winnow.store.rocksdb.RocksSettings;

/// Nodes of one process.
final class TestNodes implements AutoCloseable {
    private static final byte[] FIRST = {};
    private static final byte[] LAST = new byte[100];

    static {
        Arrays.fill(LAST, (byte) 0xFF);
    }

    private final Path directory;
    private final List<ClusterMember> members = new ArrayList<>();
    private final List<ClusterMember> further = new ArrayList<>();
    private final Map<String, ClusterNode> running = new TreeMap<>();

    /// Room on the disks of nodes, ample for those that are not here.
    final Map<String, DiskRoom> rooms = new ConcurrentHashMap<>();

    /// Nodes to which leaders whose disks are full wanted to leave the lead.
    final List<String> wanted = new CopyOnWriteArrayList<>();

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /// Of all batches that were confirmed.
    final List<Long> appendNanos = new CopyOnWriteArrayList<>();

    private final Duration electionTimeout;
    private final ClusterNodeOptions.@Nullable Tls tls;
    final ExecutorService completions = Executors.newSingleThreadExecutor();

    TestNodes(Path directory, String... names) throws IOException {
        this(directory, Duration.ofSeconds(1), null, names);
    }

    TestNodes(Path directory, ClusterNodeOptions.Tls tls, String... names) throws IOException {
        this(directory, Duration.ofSeconds(1), tls, names);
    }

    TestNodes(
            Path directory,
            Duration electionTimeout,
            ClusterNodeOptions.@Nullable Tls tls,
            String... names)
            throws IOException {
        this.directory = directory;
        this.electionTimeout = electionTimeout;
        this.tls = tls;
        List<ServerSocket> sockets = new ArrayList<>();
        for (String name : names) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            sockets.add(socket);
            members.add(new ClusterMember(name, "127.0.0.1", socket.getLocalPort()));
        }
        for (ServerSocket socket : sockets) {
            socket.close();
        }
    }

    /// Starts all of the first members.
    void startAll() {
        members.forEach(member -> start(member.name()));
    }

    ClusterNode start(String name) {
        return start(name, members, false);
    }

    /// Starts a node that waits to be added to the others.
    ClusterNode startJoining(String name) throws IOException {
        return start(name, List.of(newMember(name)), true);
    }

    /// One of the first members.
    ClusterMember member(String name) {
        return members.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
    }

    /// Makes these first members the only ones, without the checks of a node.
    void set(List<String> names) throws IOException {
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.NETTY);
        List<RaftPeer> all = members.stream().map(ClusterMember::peer).toList();
        try (RaftClient client =
                RaftClient.newBuilder()
                        .setRaftGroup(RaftGroup.valueOf(ClusterNode.GROUP, all))
                        .setProperties(properties)
                        .build()) {
            RaftClientReply reply =
                    client.admin()
                            .setConfiguration(
                                    names.stream()
                                            .map(this::member)
                                            .map(ClusterMember::peer)
                                            .toList());
            assertThat(reply.isSuccess()).isTrue();
        }
    }

    /// A further node, at a port that is free.
    ClusterMember newMember(String name) throws IOException {
        for (ClusterMember one : further) {
            if (one.name().equals(name)) {
                return one;
            }
        }
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ClusterMember made = new ClusterMember(name, "127.0.0.1", socket.getLocalPort());
            further.add(made);
            return made;
        }
    }

    private ClusterNode start(String name, List<ClusterMember> known, boolean joining) {
        ClusterNodeOptions options =
                new ClusterNodeOptions(
                        name,
                        known,
                        directory.resolve(name).resolve("store"),
                        directory.resolve(name).resolve("cluster"),
                        RocksSettings.within(16 << 20),
                        electionTimeout,
                        joining,
                        () -> rooms.getOrDefault(name, DiskRoom.AMPLE),
                        tls);
        try {
            ClusterNode node =
                    ClusterNode.start(
                            options,
                            new ClusterNode.Listener() {
                                @Override
                                public void onLeading() {}

                                @Override
                                public void onNotLeading() {}

                                @Override
                                public void onAppended(long nanos) {
                                    appendNanos.add(nanos);
                                }

                                @Override
                                public void onFull(String to) {
                                    wanted.add(to);
                                }

                                @Override
                                public void onFailed(Throwable cause) {
                                    failures.add(cause);
                                }
                            });
            running.put(name, node);
            return node;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void stop(String name) {
        ClusterNode node = running.remove(name);
        if (node != null) {
            node.close();
        }
    }

    /// Stops all, at the same time.
    void stopAll() {
        List<ClusterNode> nodes = List.copyOf(running.values());
        running.clear();
        nodes.parallelStream().forEach(ClusterNode::close);
    }

    /// Waits for a leader.
    String leader() {
        String[] found = new String[1];
        await(() -> {
            running.forEach((name, node) -> {
                if (node.status().role() == ClusterStatus.Role.LEADER) {
                    found[0] = name;
                }
            });
            return found[0] != null;
        });
        return found[0];
    }

    /// Why nodes cannot go on.
    List<Throwable> failures() {
        return failures;
    }

    ClusterNode node(String name) {
        return Objects.requireNonNull(running.get(name));
    }

    ShardLog lead() {
        String leader = leader();
        return node(leader)
                .lead(
                        completions,
                        new LeaderAddress(
                                "client-of-" + leader + ":61616", "http://" + leader + ":8161"));
    }

    static CompletableFuture<Void> append(ShardLog log, Batch batch) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        log.append(
                batch,
                Durability.SYNCED,
                new Completion() {
                    @Override
                    public void onWritten() {
                        result.complete(null);
                    }

                    @Override
                    public void onFailed(LogException failure) {
                        result.completeExceptionally(failure);
                    }
                });
        return result;
    }

    /// Waits until all running nodes have applied the same entries, and returns their rows.
    Map<String, String> sameRows() {
        await(() ->
                running.values().stream()
                                .mapToLong(node -> node.status().applied())
                                .distinct()
                                .count()
                        == 1);
        List<Map<String, String>> all =
                running.values().stream().map(node -> rows(node.tables())).toList();
        for (Map<String, String> rows : all) {
            assertThat(rows).isEqualTo(all.getFirst());
        }
        assertThat(failures).isEmpty();
        return all.getFirst();
    }

    private static Map<String, String> rows(ShardLog tables) {
        Map<String, String> rows = new TreeMap<>();
        for (Table table : Table.values()) {
            tables.scan(
                    table,
                    FIRST,
                    LAST,
                    (key, value) -> {
                        rows.put(table + " " + HexFormat.of().formatHex(key), digest(value));
                        return true;
                    });
        }
        return rows;
    }

    private static String digest(byte[] value) {
        return value.length <= 256
                ? HexFormat.of().formatHex(value)
                : value.length + " bytes, " + Arrays.hashCode(value);
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited for 60 s");
            }
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Override
    public void close() {
        stopAll();
        completions.shutdownNow();
    }
}
