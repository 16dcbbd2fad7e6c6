package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import winnow.broker.config.SettingSources;
import winnow.broker.storage.LogSource;

/// Nodes of a cluster in this process. Not thread-safe.
final class ClusterRig {
    private static final long TIMEOUT_SECONDS = 60;

    private final Path directory;
    private final List<ClusterBroker> nodes = new ArrayList<>();

    /// Settings that all nodes find when they read theirs again.
    private final Map<String, String> changed = new ConcurrentHashMap<>();

    /// @param directory of their files
    ClusterRig(Path directory) {
        this.directory = directory;
    }

    /// Nodes in the order of their start.
    List<ClusterBroker> nodes() {
        return nodes;
    }

    /// Settings that all nodes find when they read theirs again.
    Map<String, String> changed() {
        return changed;
    }

    static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        }
        List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return ports;
    }

    BrokerConfig config(String members, String name, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("cluster.nodes", members);
        settings.put("cluster.node", name);
        settings.put("storage.directory", directory.resolve(name).resolve("store").toString());
        settings.put("storage.write-buffer", "1MiB");
        return BrokerConfig.of(settings);
    }

    ClusterBroker start(String members, String name, Map<String, String> more) throws IOException {
        return start(members, name, more, UnaryOperator.identity());
    }

    ClusterBroker start(
            String members, String name, Map<String, String> more, UnaryOperator<LogSource> logs)
            throws IOException {
        BrokerConfig config = config(members, name, more);
        ClusterBroker node =
                new ClusterBroker(
                        config,
                        InetAddress.getLoopbackAddress(),
                        0,
                        0,
                        () -> {
                            SettingSources sources = new SettingSources(config);
                            changed.forEach((key, value) -> sources.put(key, value, "a test"));
                            return sources;
                        },
                        logs);
        nodes.add(node);
        return node;
    }

    static String page(ClusterBroker node, String path) throws InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + node.httpAddress().getPort() + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(uri).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            // It is changing its role.
            return "";
        }
    }

    static void awaitReady(ClusterBroker node, String text) throws InterruptedException {
        awaitPage(node, "/health/ready", page -> page.startsWith(text));
    }

    static void awaitPage(ClusterBroker node, String path, Predicate<String> expected)
            throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        String found = "";
        while (!expected.test(found)) {
            assertThat(System.nanoTime()).as(found).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
            found = page(node, path);
        }
    }

    static ClusterBroker awaitLeader(ClusterBroker... candidates) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (true) {
            for (ClusterBroker one : candidates) {
                if (page(one, "/health/ready").startsWith("ready: leader")) {
                    return one;
                }
            }
            assertThat(System.nanoTime()).as("no leader").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    static String members(List<Integer> ports) {
        return "a=127.0.0.1:%d,b=127.0.0.1:%d,c=127.0.0.1:%d"
                .formatted(ports.get(0), ports.get(1), ports.get(2));
    }

    /// Starts a, b and c.
    Map<String, ClusterBroker> startAll(String members) throws IOException {
        Map<String, ClusterBroker> all = new TreeMap<>();
        for (String name : List.of("a", "b", "c")) {
            all.put(name, start(members, name, Map.of()));
        }
        return all;
    }

    static ClusterBroker node(Map<String, ClusterBroker> all, String name) {
        return Objects.requireNonNull(all.get(name), name);
    }

    /// Name of the node that leads.
    static String leading(Map<String, ClusterBroker> all) throws InterruptedException {
        ClusterBroker leader = awaitLeader(all.values().toArray(ClusterBroker[]::new));
        return all.keySet().stream()
                .filter(name -> leader.equals(all.get(name)))
                .findFirst()
                .orElseThrow();
    }

    /// Ends all nodes.
    void stop() throws InterruptedException {
        // Together: a lone node would wait for the others.
        List<Thread> ends =
                nodes.stream().map(node -> Thread.ofVirtual().start(node::close)).toList();
        for (Thread end : ends) {
            end.join();
        }
    }
}
