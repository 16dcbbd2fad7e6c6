package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static winnow.broker.ClusterRig.awaitLeader;
import static winnow.broker.ClusterRig.awaitPage;
import static winnow.broker.ClusterRig.awaitReady;
import static winnow.broker.ClusterRig.freePorts;
import static winnow.broker.ClusterRig.members;
import static winnow.broker.ClusterRig.page;

import java.io.IOException;
import java.io.InputStream;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.broker.storage.LogSource;
import winnow.store.LogException;
import winnow.wire.ErrorCode;
import winnow.wire.Protocol;
import winnow.wire.frame.ControlFrame;

/// Nodes of a cluster in one process, which prove to each other who they are.
class ClusterBrokerTest {
    /// Several elections.
    private static final long STRANGER_MILLIS = 2000;

    @TempDir private Path directory;

    private ClusterRig rig;

    @BeforeEach
    void make() {
        rig = new ClusterRig(directory);
    }

    @AfterEach
    void stop() throws InterruptedException {
        rig.stop();
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

    @Test
    void shouldTellClientsOfAFollowerWhoLeads() throws Exception {
        // given
        String members = members(freePorts(3));
        Map<String, String> secured = certificate("node");
        ClusterBroker a = rig.start(members, "a", secured);
        ClusterBroker b = rig.start(members, "b", secured);
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
                        "winnow_cluster_lag_entries{node=\""
                                + (follower.equals(a) ? "a" : "b")
                                + "\"}",
                        "winnow_cluster_silent_seconds{node=\"c\"}",
                        "winnow_cluster_append_seconds_bucket{le=\"0.001\"}")
                .doesNotContain("winnow_cluster_append_seconds_count 0\n");
        assertThat(page(follower, "/metrics"))
                .contains(
                        "winnow_cluster_leads 0.0\n",
                        "winnow_cluster_has_leader 1.0\n",
                        "winnow_cluster_append_seconds_count 0\n");
        assertThat(page(follower, "/api/v1/queues")).contains("does not lead its cluster");
        assertThat(page(leader, "/api/v1/queues")).isEqualToIgnoringWhitespace("[]");
        HttpResponse<String> put = put(follower, "/api/v1/users/ann", "{\"password\": \"x\"}");
        assertThat(put.statusCode()).isEqualTo(503);
        assertThat(put.body())
                .contains("' at http://127.0.0.1:" + leader.httpAddress().getPort() + "\"");
    }

    private static HttpResponse<String> put(ClusterBroker node, String path, String body)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + node.httpAddress().getPort() + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(uri)
                            .header("Content-Type", "application/json")
                            .PUT(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
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
        ClusterBroker only =
                rig.start("a=127.0.0.1:" + freePorts(1).getFirst(), "a", Map.of(), logs);

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
            all.add(rig.start(members, name, Map.of(), logs));
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
            rig.start(members, name, Map.of());
        }
        ClusterBroker first = awaitLeader(rig.nodes().toArray(ClusterBroker[]::new));
        List<ClusterBroker> others = rig.nodes().stream().filter(node -> node != first).toList();

        // when
        rig.changed().put("session.max-handles", "77");
        for (ClusterBroker other : others) {
            awaitReady(other, "ready: follower");
            other.reload();
        }
        rig.changed().clear();
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
        ClusterBroker a = rig.start(members, "a", secured);
        rig.start(members, "b", secured);
        ClusterBroker stranger = rig.start(members, "c", certificate("stranger"));
        awaitReady(a, "ready: ");

        // when
        TimeUnit.MILLISECONDS.sleep(STRANGER_MILLIS);

        // then
        assertThat(page(stranger, "/health/ready")).isEqualTo("not ready: no majority\n");
        awaitReady(a, "ready: ");
    }

    @Test
    void shouldDemandCertificatesBeyondLoopback() {
        assertThatThrownBy(() -> rig.start("a=10.1.2.3:1,b=10.1.2.4:1", "a", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cluster.certificate")
                .hasMessageContaining("10.1.2.3");
    }

    @Test
    void shouldSayWhatIsWrongWithTheSettings() {
        assertThat(ClusterBroker.problems(rig.config("a=127.0.0.1", "a", Map.of())))
                .singleElement()
                .asString()
                .startsWith("cluster.nodes: expected nodes as HOST:PORT");
        assertThat(ClusterBroker.problems(rig.config("a=127.0.0.1:1", "d", Map.of())))
                .containsExactly("cluster.node: expected one of [a], found 'd'");
        assertThat(
                        ClusterBroker.problems(
                                rig.config("a=127.0.0.1:1", "a", Map.of("cluster.key", "none"))))
                .contains("cluster.key: expected a PEM file, found none");
    }
}
