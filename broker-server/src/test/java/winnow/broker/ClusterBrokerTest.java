package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.config.SettingSources;
import winnow.broker.storage.LogSource;
import winnow.store.LogException;
import winnow.wire.ControlFrame;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;

/// Nodes of a cluster in one process, which prove to each other who they are.
class ClusterBrokerTest {
    private static final long TIMEOUT_SECONDS = 60;

    /// Several elections.
    private static final long STRANGER_MILLIS = 2000;

    @TempDir private Path directory;

    private final List<ClusterBroker> nodes = new ArrayList<>();

    /// Settings that all nodes find when they read theirs again.
    private final Map<String, String> changed = new ConcurrentHashMap<>();

    @AfterEach
    void stop() throws InterruptedException {
        // Together: a lone node would wait for the others.
        List<Thread> ends =
                nodes.stream().map(node -> Thread.ofVirtual().start(node::close)).toList();
        for (Thread end : ends) {
            end.join();
        }
    }

    private static List<Integer> freePorts(int count) throws IOException {
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

    /// Settings of the certificate, its key, and itself as the authority.
    private Map<String, String> certificate(String name) throws IOException {
        Path made =
                TestCertificates.pkcs12(
                        directory.resolve(name + ".p12"), name, "dns:localhost,ip:127.0.0.1");
        try (InputStream in = Files.newInputStream(made)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            char[] password = TestCertificates.PASSWORD.toCharArray();
            store.load(in, password);
            String key =
                    Base64.getMimeEncoder()
                            .encodeToString(store.getKey("broker", password).getEncoded());
            Path file =
                    Files.writeString(
                            directory.resolve(name + ".key"),
                            "-----BEGIN PRIVATE KEY-----\n"
                                    + key
                                    + "\n-----END PRIVATE KEY-----\n");
            String pem = TestCertificates.pem(made).toString();
            return Map.of(
                    "cluster.certificate", pem,
                    "cluster.authority", pem,
                    "cluster.key", file.toString());
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private BrokerConfig config(String members, String name, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("cluster.nodes", members);
        settings.put("cluster.node", name);
        settings.put("storage.directory", directory.resolve(name).resolve("store").toString());
        settings.put("storage.write-buffer", "1MiB");
        return BrokerConfig.of(settings);
    }

    private ClusterBroker start(String members, String name, Map<String, String> more)
            throws IOException {
        return start(members, name, more, UnaryOperator.identity());
    }

    private ClusterBroker start(
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

    private static String page(ClusterBroker node, String path) throws InterruptedException {
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

    private static void awaitReady(ClusterBroker node, String text) throws InterruptedException {
        awaitPage(node, "/health/ready", page -> page.startsWith(text));
    }

    private static void awaitPage(ClusterBroker node, String path, Predicate<String> expected)
            throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        String found = "";
        while (!expected.test(found)) {
            assertThat(System.nanoTime()).as(found).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
            found = page(node, path);
        }
    }

    private static ClusterBroker awaitLeader(ClusterBroker... candidates)
            throws InterruptedException {
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

    private static String members(List<Integer> ports) {
        return "a=127.0.0.1:%d,b=127.0.0.1:%d,c=127.0.0.1:%d"
                .formatted(ports.get(0), ports.get(1), ports.get(2));
    }

    @Test
    void shouldTellClientsOfAFollowerWhoLeads() throws Exception {
        // given
        String members = members(freePorts(3));
        Map<String, String> secured = certificate("node");
        ClusterBroker a = start(members, "a", secured);
        ClusterBroker b = start(members, "b", secured);
        ClusterBroker leader = awaitLeader(a, b);
        ClusterBroker follower = leader.equals(a) ? b : a;
        awaitPage(
                follower,
                "/health/cluster",
                page -> page.contains("\"leaderAddress\":\"127.0.0.1:"));

        // when, then
        try (TestClient client = new TestClient(follower.address())) {
            client.hello(new ControlFrame.Hello(Protocol.STORED, "", "ANONYMOUS", "", 0, "test"));
            assertThat(client.expect(ControlFrame.Goodbye.class))
                    .isEqualTo(
                            new ControlFrame.Goodbye(
                                    ErrorCode.NOT_ACTIVE.number(),
                                    "this broker does not lead its cluster; the leader is"
                                            + " 127.0.0.1:"
                                            + leader.address().getPort()));
        }
        try (TestClient client = new TestClient(leader.address())) {
            client.greet();
        }
        assertThat(page(leader, "/metrics"))
                .contains(
                        "winnow_cluster_leads 1.0\n",
                        "winnow_cluster_lag_entries{node=\"c\"}",
                        "winnow_cluster_append_seconds_bucket{le=\"0.001\"}")
                .doesNotContain("winnow_cluster_append_seconds_count 0\n");
        assertThat(page(follower, "/metrics"))
                .contains(
                        "winnow_cluster_leads 0.0\n",
                        "winnow_cluster_has_leader 1.0\n",
                        "winnow_cluster_append_seconds_count 0\n");
        assertThat(page(follower, "/api/v1/queues")).contains("does not lead its cluster");
        assertThat(page(leader, "/api/v1/queues")).isEqualToIgnoringWhitespace("[]");
    }

    @Test
    void shouldServeAfterAFailureToTakeTheLogOver() throws Exception {
        // given
        AtomicInteger failures = new AtomicInteger(2);
        UnaryOperator<LogSource> logs =
                log ->
                        completions -> {
                            if (failures.getAndDecrement() > 0) {
                                throw new LogException(LogException.Reason.IO, "a test");
                            }
                            return log.open(completions);
                        };

        // when
        ClusterBroker only = start("a=127.0.0.1:" + freePorts(1).getFirst(), "a", Map.of(), logs);

        // then
        awaitReady(only, "ready: leader");
        assertThat(failures).hasNegativeValue();
        try (TestClient client = new TestClient(only.address())) {
            client.greet();
        }
    }

    @Test
    void shouldLeaveTheLeadToANodeThatCanServe() throws Exception {
        // given
        String members = members(freePorts(3));
        AtomicReference<String> broken = new AtomicReference<>("");
        List<ClusterBroker> all = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            UnaryOperator<LogSource> logs =
                    log ->
                            completions -> {
                                broken.compareAndSet("", name);
                                if (broken.get().equals(name)) {
                                    throw new LogException(LogException.Reason.IO, "a test");
                                }
                                return log.open(completions);
                            };
            all.add(start(members, name, Map.of(), logs));
        }

        // when
        ClusterBroker leader = awaitLeader(all.toArray(ClusterBroker[]::new));

        // then
        assertThat(page(leader, "/health/cluster"))
                .contains("\"role\":\"leader\"")
                .doesNotContain("\"node\":\"" + broken.get() + "\"");
        try (TestClient client = new TestClient(leader.address())) {
            client.greet();
        }
    }

    @Test
    void shouldKeepReloadedSettingsWhenTheLeadChanges() throws Exception {
        // given
        String members = members(freePorts(3));
        for (String name : List.of("a", "b", "c")) {
            start(members, name, Map.of());
        }
        ClusterBroker first = awaitLeader(nodes.toArray(ClusterBroker[]::new));
        List<ClusterBroker> others = nodes.stream().filter(node -> node != first).toList();

        // when
        changed.put("session.max-handles", "77");
        for (ClusterBroker other : others) {
            awaitReady(other, "ready: follower");
            other.reload();
        }
        changed.clear();
        first.close();

        // then
        ClusterBroker next = awaitLeader(others.toArray(ClusterBroker[]::new));
        assertThat(page(next, "/api/v1/settings"))
                .containsPattern("\"session.max-handles\",\\s*\"value\"\\s*:\\s*\"77\"");
    }

    @Test
    void shouldKeepANodeOutThatShowsAnotherCertificate() throws Exception {
        // given
        String members = members(freePorts(3));
        Map<String, String> secured = certificate("node");
        ClusterBroker a = start(members, "a", secured);
        start(members, "b", secured);
        ClusterBroker stranger = start(members, "c", certificate("stranger"));
        awaitReady(a, "ready: ");

        // when
        TimeUnit.MILLISECONDS.sleep(STRANGER_MILLIS);

        // then
        assertThat(page(stranger, "/health/ready")).isEqualTo("not ready: no majority\n");
        awaitReady(a, "ready: ");
    }

    @Test
    void shouldDemandCertificatesBeyondLoopback() {
        assertThatThrownBy(() -> start("a=10.1.2.3:1,b=10.1.2.4:1", "a", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cluster.certificate")
                .hasMessageContaining("10.1.2.3");
    }

    @Test
    void shouldSayWhatIsWrongWithTheSettings() {
        assertThat(ClusterBroker.problems(config("a=127.0.0.1", "a", Map.of())))
                .singleElement()
                .asString()
                .startsWith("cluster.nodes: expected nodes as HOST:PORT");
        assertThat(ClusterBroker.problems(config("a=127.0.0.1:1", "d", Map.of())))
                .containsExactly("cluster.node: expected one of [a], found 'd'");
        assertThat(
                        ClusterBroker.problems(
                                config("a=127.0.0.1:1", "a", Map.of("cluster.key", "none"))))
                .contains("cluster.key: expected a PEM file, found none");
    }
}
