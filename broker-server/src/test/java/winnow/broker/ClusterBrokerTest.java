package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
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
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.config.SettingSources;
import winnow.wire.ControlFrame;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;

/// Nodes of a cluster in one process, which prove to each other who they are.
class ClusterBrokerTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long TIMEOUT_SECONDS = 60;

    /// Several elections.
    private static final long STRANGER_MILLIS = 2000;

    @TempDir private Path directory;

    private final List<ClusterBroker> nodes = new ArrayList<>();

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
        BrokerConfig config = config(members, name, more);
        ClusterBroker node =
                new ClusterBroker(
                        config,
                        InetAddress.getLoopbackAddress(),
                        0,
                        0,
                        () -> new SettingSources(config));
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
                .contains("winnow_cluster_leads 1.0\n", "winnow_cluster_lag_entries{node=\"c\"}");
        assertThat(page(follower, "/metrics"))
                .contains("winnow_cluster_leads 0.0\n", "winnow_cluster_has_leader 1.0\n");
        assertThat(page(follower, "/api/v1/queues")).contains("does not lead its cluster");
        assertThat(page(leader, "/api/v1/queues")).isEqualToIgnoringWhitespace("[]");
    }

    private static HttpResponse<String> moveLead(ClusterBroker node, String to)
            throws IOException, InterruptedException {
        return ask(node, "POST", to + "/lead");
    }

    /// @param path below the list of nodes
    private static HttpResponse<String> ask(ClusterBroker node, String method, String path)
            throws IOException, InterruptedException {
        int port = node.httpAddress().getPort();
        URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/cluster/nodes/" + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(uri)
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    /// Starts a, b and c.
    private Map<String, ClusterBroker> startAll(String members) throws IOException {
        Map<String, ClusterBroker> all = new TreeMap<>();
        for (String name : List.of("a", "b", "c")) {
            all.put(name, start(members, name, Map.of()));
        }
        return all;
    }

    /// Name of the node that leads.
    private static String leading(Map<String, ClusterBroker> all) throws InterruptedException {
        ClusterBroker leader = awaitLeader(all.values().toArray(ClusterBroker[]::new));
        return all.keySet().stream()
                .filter(name -> leader.equals(all.get(name)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldMoveTheLeadOnDemand() throws Exception {
        // given
        Map<String, ClusterBroker> all = startAll(members(freePorts(3)));
        String former = leading(all);
        ClusterBroker leader = all.get(former);
        String wanted = former.equals("a") ? "b" : "a";
        ClusterBroker next = all.get(wanted);
        awaitPage(next, "/health/cluster", page -> page.contains("\"leaderAddress\":\"127.0.0.1:"));
        ApiDescription description =
                new ApiDescription(JSON.readTree(page(leader, "/api/v1/openapi.json")));

        try (TestClient client = new TestClient(leader.address())) {
            client.greet();

            // when
            HttpResponse<String> moved = moveLead(leader, wanted);

            // then
            assertThat(moved.statusCode()).as(moved.body()).isEqualTo(200);
            description.check("post", "/api/v1/cluster/nodes/{node}/lead", moved);
            assertThat(moved.body())
                    .isEqualTo("{\"leader\":\"%s\",\"former\":\"%s\"}\n".formatted(wanted, former));
            assertThat(client.expect(ControlFrame.Goodbye.class))
                    .isEqualTo(
                            new ControlFrame.Goodbye(
                                    ErrorCode.NOT_ACTIVE.number(),
                                    "this broker hands its lead over to node " + wanted));
        }
        awaitReady(next, "ready: leader");
        awaitReady(leader, "ready: follower of " + wanted);
        try (TestClient client = new TestClient(next.address())) {
            client.greet();
        }

        // then
        HttpResponse<String> self = moveLead(next, wanted);
        assertThat(self.statusCode()).isEqualTo(409);
        assertThat(self.body()).contains("node '" + wanted + "' leads already");
        description.check("post", "/api/v1/cluster/nodes/{node}/lead", self);
        HttpResponse<String> unknown = moveLead(next, "x");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("expected one of the nodes a, b, c, found 'x'");
        HttpResponse<String> standby = moveLead(leader, former);
        assertThat(standby.statusCode()).isEqualTo(503);
        assertThat(standby.body())
                .contains("this broker does not lead its cluster: ask node '" + wanted + "'");
        awaitReady(next, "ready: leader");
    }

    @Test
    void shouldAddAndRemoveNodesOnDemand() throws Exception {
        // given
        List<Integer> ports = freePorts(4);
        String members = members(ports);
        Map<String, ClusterBroker> all = startAll(members);
        String leads = leading(all);
        ClusterBroker leader = all.get(leads);
        String address = "127.0.0.1:" + ports.get(3);
        ClusterBroker d = start(members + ",d=" + address, "d", Map.of("cluster.join", "true"));
        awaitReady(d, "not ready: no node of the cluster at present");
        ApiDescription description =
                new ApiDescription(JSON.readTree(page(leader, "/api/v1/openapi.json")));

        // when, then
        for (int time = 0; time < 2; time++) {
            HttpResponse<String> added = ask(leader, "POST", "d?address=" + address);
            assertThat(added.body()).isEqualTo("{\"node\":\"d\",\"complete\":true}\n");
            description.check("post", "/api/v1/cluster/nodes/{node}", added);
        }
        awaitReady(d, "ready: follower of " + leads);
        String nodesPage = page(leader, "/api/v1/cluster/nodes");
        assertThat(JSON.readTree(nodesPage).findValuesAsText("node"))
                .containsExactly("a", "b", "c", "d");
        assertThat(nodesPage).contains("\"address\":\"" + address + "\",\"role\":\"FOLLOWER\"");

        // when, then
        String gone = leads.equals("a") ? "b" : "a";
        for (int time = 0; time < 2; time++) {
            HttpResponse<String> removed = ask(leader, "DELETE", gone);
            assertThat(removed.body()).isEqualTo("{\"node\":\"" + gone + "\",\"complete\":true}\n");
            description.check("delete", "/api/v1/cluster/nodes/{node}", removed);
        }
        awaitReady(all.get(gone), "not ready: no node of the cluster at present");
        HttpResponse<String> self = ask(leader, "DELETE", leads);
        assertThat(self.statusCode()).isEqualTo(409);
        assertThat(self.body()).contains("move the lead to another node first");
        HttpResponse<String> wrong = ask(leader, "POST", "e?address=host");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("expected nodes as HOST:PORT or NAME=HOST:PORT");
        awaitReady(leader, "ready: leader");
    }

    @Test
    void shouldHandItsLeadOverWhenItIsStopped() throws Exception {
        // given a cluster whose elections take 4 to 8 s
        String members = members(freePorts(3));
        Map<String, String> slow = Map.of("cluster.election-timeout", "4s");
        ClusterBroker a = start(members, "a", slow);
        ClusterBroker b = start(members, "b", slow);
        ClusterBroker leader = awaitLeader(a, b);
        ClusterBroker other = leader.equals(a) ? b : a;
        start(members, "c", slow);
        awaitPage(leader, "/health/cluster", page -> page.contains("\"c\":0"));

        // when
        leader.close();

        // then one of the others leads without an election
        ClusterBroker c = nodes.getLast();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500);
        String found = "";
        while (!found.contains("\"role\":\"leader\"")) {
            assertThat(System.nanoTime()).as(found).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
            found = page(other, "/health/cluster") + page(c, "/health/cluster");
        }
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
        assertThat(
                        ClusterBroker.problems(
                                config("a=127.0.0.1:1", "a", Map.of("cluster.join", "true"))))
                .containsExactly(
                        "cluster.nodes: expected the nodes of the cluster to join, too, found 'a'"
                                + " alone");
        assertThat(ClusterBroker.problems(config("a=127.0.0.1:1", "d", Map.of())))
                .containsExactly("cluster.node: expected one of [a], found 'd'");
        assertThat(
                        ClusterBroker.problems(
                                config("a=127.0.0.1:1", "a", Map.of("cluster.key", "none"))))
                .contains("cluster.key: expected a PEM file, found none");
    }
}
