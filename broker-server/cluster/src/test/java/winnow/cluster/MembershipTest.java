package winnow.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.cluster.ClusterChangeException.Reason;
import winnow.store.Batch;
import winnow.store.LogException;
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

    private static void assertFails(Reason reason, String message, CompletionStage<Void> change) {
        assertRefused(
                reason,
                message,
                () -> {
                    try {
                        await(change);
                    } catch (ExecutionException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void shouldGiveANewNodeASnapshotAndAVote() throws Exception {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.startAll();
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
            nodes.startAll();
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
            assertThat(names(leader)).hasSize(2);
            TestNodes.await(() -> again.status().role() == ClusterStatus.Role.OUTSIDE);
            assertThat(nodes.leader()).isEqualTo(leads);
        }
    }

    @Test
    void shouldSayWhyTheNodesStay() throws Exception {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.startAll();
            nodes.lead();
            String leads = nodes.leader();
            ClusterNode leader = nodes.node(leads);
            String other = leads.equals("a") ? "b" : "a";

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
                    "node '" + other + "' is a member at 127.0.0.1:",
                    () -> leader.add(renamed("d", nodes.member(other))));
            assertRefused(
                    Reason.UNKNOWN_NODE,
                    "expected one of the nodes a, b, c, found 'x'",
                    () -> leader.remove("x"));
        }
    }

    @Test
    void shouldSayThatANodeWhichWasRemovedHasToStartAnew() throws Exception {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.startAll();
            append(nodes.lead(), 0, 10);
            String leads = nodes.leader();
            ClusterNode leader = nodes.node(leads);
            String gone = leads.equals("a") ? "b" : "a";

            // when
            await(leader.remove(gone));
            TestNodes.await(() -> nodes.node(gone).status().role() == ClusterStatus.Role.OUTSIDE);

            // then before its engine stops as well as afterwards
            for (int time = 0; time < 6; time++) {
                assertFails(
                        Reason.CONFLICT,
                        "node '"
                                + gone
                                + "' at "
                                + nodes.member(gone).address()
                                + " runs, and takes no part: it was removed, or started without"
                                + " cluster.join=true: stop it, remove its files, and start it with"
                                + " cluster.join=true",
                        leader.add(nodes.member(gone)));
                assertThat(nodes.node(gone).status().role()).isEqualTo(ClusterStatus.Role.OUTSIDE);
                TimeUnit.SECONDS.sleep(1);
            }
        }
    }

    /// Two operators, the second of whom is quicker. The engine itself keeps a majority from being
    /// changed, which four nodes are too many for.
    @Test
    void shouldNotUndoAChangeThatWasMadeMeanwhile() throws Exception {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c", "e")) {
            nodes.startAll();
            append(nodes.lead(), 0, 10);
            String leads = nodes.leader();
            ClusterNode leader = nodes.node(leads);
            String gone = leads.equals("c") ? "b" : "c";
            List<String> left =
                    Stream.of("a", "b", "c", "e").filter(one -> !one.equals(gone)).toList();
            nodes.startJoining("d");
            try (CutLine line = CutLine.held(nodes.newMember("d").port())) {
                // when
                CompletionStage<Void> adding =
                        leader.add(new ClusterMember("d", "127.0.0.1", line.port()));
                nodes.set(left);
                line.release();

                // then
                assertFails(
                        Reason.CONFLICT, "but the nodes have changed since they were read", adding);
                assertThat(names(leader)).isEqualTo(left);
            }
        }
    }

    @Test
    void shouldSayWhyANodeIsSilent() throws Exception {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.startAll();
            nodes.lead();
            String leads = nodes.leader();
            ClusterNode leader = nodes.node(leads);
            String gone = leads.equals("c") ? "b" : "c";
            String other = leads.equals("a") ? "b" : "a";

            // then
            assertFails(
                    Reason.CONFLICT,
                    "expected an address on loopback, found 10.1.2.3:1",
                    leader.add(new ClusterMember("d", "10.1.2.3", 1)));
            assertFails(
                    Reason.FAILED,
                    "node 'd' does not answer at 127.0.0.1:",
                    leader.add(nodes.newMember("d")));
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
            try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                ClusterMember silent = new ClusterMember("d", "127.0.0.1", mute.getLocalPort());
                CompletionStage<Void> adding = leader.add(silent);
                String text = "node 'd' at " + silent.address() + " is being added: wait until";
                assertRefused(Reason.CONFLICT, text, () -> leader.remove(gone));
                assertRefused(Reason.CONFLICT, text, () -> leader.checkHandOver(other));
                assertFails(Reason.FAILED, "does not answer", leader.add(silent));
                assertFails(Reason.FAILED, "does not answer", adding);
            }
            assertThat(names(leader)).containsExactly("a", "b", "c");

            // when
            await(leader.remove(gone));

            // then
            assertThat(names(leader)).hasSize(2).doesNotContain(gone);
        }
    }

    /// The engine looks after a new node while nothing is sent only.
    @Test
    void shouldEndAnAdditionWhoseNodeDiesWhileMessagesAreSent() throws Exception {
        // given
        Duration electionTimeout = Duration.ofMillis(300);
        try (TestNodes nodes = new TestNodes(directory, electionTimeout, null, "a", "b", "c")) {
            nodes.startAll();
            ShardLog log = nodes.lead();
            // More than the 1,000 entries by which a node may be behind when it gets its vote.
            append(log, 0, 2500);
            ClusterNode leader = nodes.node(nodes.leader());
            nodes.startJoining("d");
            try (CutLine line = new CutLine(nodes.newMember("d").port(), 100_000)) {
                // when
                CompletionStage<Void> adding =
                        leader.add(new ClusterMember("d", "127.0.0.1", line.port()));
                line.awaitCut();
                CompletableFuture<?> sender =
                        CompletableFuture.runAsync(() -> append(log, 2500, Integer.MAX_VALUE));

                // then
                assertFails(Reason.NOT_LEADING, "does not lead its cluster any more", adding);
                assertThatThrownBy(sender::join).hasCauseInstanceOf(LogException.class);
                ClusterNode next = nodes.node(nodes.leader());
                assertThat(names(next)).containsExactly("a", "b", "c");
                nodes.stop("d");
                append(nodes.lead(), 0, 10);
            }
        }
    }

    @Test
    void shouldNotTakeANodeOfAnotherClusterOrName() throws Exception {
        // given
        try (TestNodes nodes = new TestNodes(directory.resolve("one"), "a", "b");
                TestNodes others = new TestNodes(directory.resolve("other"), "d")) {
            nodes.start("a");
            nodes.start("b");
            append(nodes.lead(), 0, 10);
            ClusterNode leader = nodes.node(nodes.leader());
            others.start("d");
            append(others.lead(), 0, 20);
            ClusterMember stranger = others.member("d");

            // when, then
            assertFails(
                    Reason.CONFLICT,
                    "expected that node 'd' at "
                            + stranger.address()
                            + " waits to be added, found that it has the log of a cluster with node"
                            + " 'd'",
                    leader.add(stranger));
            nodes.startJoining("c");
            assertFails(
                    Reason.CONFLICT,
                    "expected node 'e' at " + nodes.newMember("c").address() + ", found node 'c'",
                    leader.add(renamed("e", nodes.newMember("c"))));

            // then
            assertThat(names(leader)).containsExactly("a", "b");
            assertThat(others.sameRows()).hasSize(20 + 1);
        }
    }

    private static ClusterMember renamed(String name, ClusterMember node) {
        return new ClusterMember(name, node.host(), node.port());
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
