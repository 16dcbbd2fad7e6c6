package winnow.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.cluster.ClusterChangeException.Reason;
import winnow.store.Batch;
import winnow.store.ShardLog;
import winnow.store.Table;

/// Nodes that come and go while the cluster runs.
class MembershipTest {
    private static final long TIMEOUT_SECONDS = 60;

    @TempDir private Path directory;

    private static byte[] key(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    private static void append(ShardLog log, int from, int to) {
        for (int i = from; i < to; i++) {
            Batch batch = new Batch();
            batch.put(Table.HEADERS, key(i), new byte[100]);
            TestNodes.append(log, batch).join();
        }
    }

    private static void await(CompletionStage<Void> change) throws Exception {
        change.toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private static List<String> names(ClusterNode leader) {
        return leader.nodes().stream().map(ClusterNodeView::node).toList();
    }

    private static void assertRefused(Reason reason, String message, ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOfSatisfying(
                        ClusterChangeException.class,
                        refused -> {
                            assertThat(refused.reason()).isEqualTo(reason);
                            assertThat(refused).hasMessageContaining(message);
                        });
    }

    @Test
    void shouldGiveANewNodeASnapshotAndAVote() throws Exception {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            for (String name : List.of("a", "b", "c")) {
                nodes.start(name);
            }
            ShardLog log = nodes.lead();
            append(log, 0, 100);
            ClusterNode leader = nodes.node(nodes.leader());
            leader.snapshot();
            append(log, 100, 200);

            // when
            ClusterNode joining = nodes.startJoining("d");
            assertThat(joining.status().role()).isEqualTo(ClusterStatus.Role.OUTSIDE);
            await(leader.add(nodes.newMember("d")));

            // then
            assertThat(names(leader)).containsExactly("a", "b", "c", "d");
            append(log, 200, 300);
            assertThat(nodes.sameRows()).hasSize(300 + 1);
            assertThat(joining.status().role()).isEqualTo(ClusterStatus.Role.FOLLOWER);
            await(leader.add(nodes.newMember("d")));

            // when it starts anew it knows that it is a member
            nodes.stop("d");
            ClusterNode again = nodes.startJoining("d");
            TestNodes.await(() -> again.status().role() == ClusterStatus.Role.FOLLOWER);
            TestNodes.await(() -> canLead(leader, "d"));
            log.close();
            leader.handOver("d");
            assertThat(nodes.leader()).isEqualTo("d");
            append(nodes.lead(), 300, 400);
            assertThat(nodes.sameRows()).hasSize(400 + 1);
        }
    }

    @Test
    void shouldGoOnWithoutANodeThatIsRemoved() throws Exception {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            for (String name : List.of("a", "b", "c")) {
                nodes.start(name);
            }
            ShardLog log = nodes.lead();
            append(log, 0, 10);
            String leads = nodes.leader();
            ClusterNode leader = nodes.node(leads);
            String gone = leads.equals("c") ? "b" : "c";
            ClusterNode removed = nodes.node(gone);

            // when
            await(leader.remove(gone));

            // then
            assertThat(names(leader)).hasSize(2).doesNotContain(gone);
            TestNodes.await(() -> removed.status().role() == ClusterStatus.Role.OUTSIDE);
            await(leader.remove(gone));
            append(log, 10, 20);
            nodes.stop(gone);
            assertThat(nodes.sameRows()).hasSize(20 + 1);

            // when it starts anew
            ClusterNode again = nodes.start(gone);

            // then the others go on
            append(log, 20, 30);
            TestNodes.await(() -> again.status().role() == ClusterStatus.Role.OUTSIDE);
            assertThat(nodes.leader()).isEqualTo(leads);
        }
    }

    @Test
    void shouldSayWhyTheNodesStay() throws Exception {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            for (String name : List.of("a", "b", "c")) {
                nodes.start(name);
            }
            nodes.lead();
            String leads = nodes.leader();
            ClusterNode leader = nodes.node(leads);
            String gone = leads.equals("c") ? "b" : "c";
            String follower = leads.equals("a") ? "b" : "a";
            String other = follower.equals(gone) ? "a" : follower;

            // then
            assertRefused(
                    Reason.CONFLICT,
                    "node '" + leads + "' leads: move the lead to another node first",
                    () -> leader.remove(leads));
            assertRefused(
                    Reason.CONFLICT,
                    "node '" + other + "' is a member at 127.0.0.1:",
                    () -> leader.add(new ClusterMember(other, "127.0.0.1", 1)));
            assertRefused(
                    Reason.CONFLICT,
                    "expected an address on loopback, found 10.1.2.3:1",
                    () -> leader.add(new ClusterMember("d", "10.1.2.3", 1)));
            assertRefused(
                    Reason.NOT_LEADING,
                    "this node does not lead its cluster any more",
                    () -> nodes.node(other).remove(gone));

            // when a node does not answer
            nodes.stop(gone);
            TestNodes.await(() -> isSilent(leader, gone));

            // then
            assertRefused(
                    Reason.CONFLICT,
                    "expected a majority of the 2 nodes that there would be to answer, found 1",
                    () -> leader.remove(other));
            ClusterMember missing = nodes.newMember("d");
            CompletionStage<Void> adding = leader.add(missing);
            assertRefused(
                    Reason.CONFLICT,
                    "node 'd' at " + missing.address() + " is being added: wait until",
                    () -> leader.remove(gone));
            assertThatThrownBy(() -> await(adding))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(ClusterChangeException.class)
                    .hasMessageContaining("is it started with cluster.join=true");
            assertThat(names(leader)).containsExactly("a", "b", "c");

            // when
            await(leader.remove(gone));

            // then
            assertThat(names(leader)).hasSize(2).doesNotContain(gone);
        }
    }

    private static boolean canLead(ClusterNode leader, String name) {
        try {
            leader.checkHandOver(name);
            return true;
        } catch (ClusterChangeException e) {
            return false;
        }
    }

    private static boolean isSilent(ClusterNode leader, String name) {
        return leader.nodes().stream()
                .anyMatch(node -> node.node().equals(name) && node.silentMillis() > 2000);
    }
}
