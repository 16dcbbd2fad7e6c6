package winnow.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static winnow.broker.ClusterRig.awaitLeader;
import static winnow.broker.ClusterRig.awaitPage;
import static winnow.broker.ClusterRig.awaitReady;
import static winnow.broker.ClusterRig.freePorts;
import static winnow.broker.ClusterRig.leading;
import static winnow.broker.ClusterRig.members;
import static winnow.broker.ClusterRig.node;
import static winnow.broker.ClusterRig.page;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

/// Changes of a cluster that operators ask for.
class ClusterChangesTest {
    /// A leader whose disk is full looks for another one after 5 s, and every 10 s.
    private static final int LOOKS_SECONDS = 17;

    private static final JsonMapper JSON = JsonMapper.builder().build();

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

    @Test
    void shouldMoveTheLeadOnDemand() throws Exception {
        // given
        Map<String, ClusterBroker> all = rig.startAll(members(freePorts(3)));
        String former = leading(all);
        ClusterBroker leader = node(all, former);
        String wanted = former.equals("a") ? "b" : "a";
        ClusterBroker next = node(all, wanted);
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
        Map<String, ClusterBroker> all = rig.startAll(members);
        String leads = leading(all);
        ClusterBroker leader = node(all, leads);
        String address = "127.0.0.1:" + ports.get(3);
        ClusterBroker d = rig.start(members + ",d=" + address, "d", Map.of("cluster.join", "true"));
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
        awaitReady(node(all, gone), "not ready: no node of the cluster at present");
        HttpResponse<String> self = ask(leader, "DELETE", leads);
        assertThat(self.statusCode()).isEqualTo(409);
        assertThat(self.body()).contains("move the lead to another node first");
        HttpResponse<String> unknown = ask(leader, "DELETE", "x");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("expected one of the nodes").contains("found 'x'");
        HttpResponse<String> absent = ask(leader, "POST", "e?address=127.0.0.1:1");
        assertThat(absent.statusCode()).isEqualTo(503);
        assertThat(absent.body()).contains("node 'e' does not answer at 127.0.0.1:1: start it");
        HttpResponse<String> wrong = ask(leader, "POST", "e?address=host");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("expected nodes as HOST:PORT or NAME=HOST:PORT");
        awaitReady(leader, "ready: leader");
    }

    @Test
    void shouldLeaveTheLeadToANodeWhoseDiskHasRoom() throws Exception {
        // given a leader that has less than is kept free, and others that have more
        String members = members(freePorts(3));
        Map<String, String> roomy = Map.of("storage.disk-reserve", "1MiB");
        ClusterBroker full = rig.start(members, "a", Map.of("storage.disk-reserve", "1000000GiB"));
        ClusterBroker b = rig.start(members, "b", roomy);
        ClusterBroker c = rig.start(members, "c", roomy);
        ClusterBroker leader = awaitLeader(full, b, c);
        if (!leader.equals(full)) {
            awaitReady(full, "ready: follower");
            assertThat(ask(leader, "POST", "a/lead").statusCode()).isEqualTo(200);
        }

        // then
        awaitReady(full, "ready: follower");
        awaitLeader(b, c);
    }

    /// Another leader would have messages written on the nodes that are full.
    @Test
    void shouldKeepTheLeadWhileMostDisksAreFull() throws Exception {
        // given
        String members = members(freePorts(3));
        Map<String, String> full = Map.of("storage.disk-reserve", "1000000GiB");
        ClusterBroker a = rig.start(members, "a", full);
        ClusterBroker b = rig.start(members, "b", full);
        awaitLeader(a, b);
        ClusterBroker c = rig.start(members, "c", Map.of("storage.disk-reserve", "1MiB"));
        awaitReady(c, "ready: follower");

        // when the leader has asked the others twice
        TimeUnit.SECONDS.sleep(LOOKS_SECONDS);

        // then
        awaitReady(c, "ready: follower");
        assertThat(page(a, "/health/ready") + page(b, "/health/ready")).contains("ready: leader");
    }

    @Test
    void shouldHandItsLeadOverWhenItIsStopped() throws Exception {
        // given a cluster whose elections take 4 to 8 s
        String members = members(freePorts(3));
        Map<String, String> slow = Map.of("cluster.election-timeout", "4s");
        ClusterBroker a = rig.start(members, "a", slow);
        ClusterBroker b = rig.start(members, "b", slow);
        ClusterBroker leader = awaitLeader(a, b);
        ClusterBroker other = leader.equals(a) ? b : a;
        rig.start(members, "c", slow);
        awaitPage(leader, "/health/cluster", page -> page.contains("\"c\":0"));

        // when
        leader.close();

        // then one of the others leads without an election
        ClusterBroker c = rig.nodes().getLast();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3000);
        String found = "";
        while (!found.contains("\"role\":\"leader\"")) {
            assertThat(System.nanoTime()).as(found).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
            found = page(other, "/health/cluster") + page(c, "/health/cluster");
        }
    }
}
