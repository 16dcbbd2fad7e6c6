package winnow.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.store.Batch;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;

class ClusterNodeTest {
    @TempDir private Path directory;

    private static byte[] key(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    private static Batch batch(int number, int bytes) {
        byte[] value = new byte[bytes];
        new Random(number).nextBytes(value);
        Batch batch = new Batch();
        batch.put(Table.HEADERS, key(number), value);
        return batch;
    }

    private static void appendAll(ShardLog log, int from, int to) {
        List<CompletableFuture<Void>> results = new ArrayList<>();
        for (int i = from; i < to; i++) {
            results.add(TestNodes.append(log, batch(i, 1000)));
        }
        results.forEach(CompletableFuture::join);
    }

    @Test
    void shouldHaveTheSameRowsOnAllNodes() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.startAll();
            ShardLog log = nodes.lead();

            // when
            appendAll(log, 0, 1000);
            Batch large = new Batch();
            large.putWhole(Table.BODIES, key(1), new byte[9 << 20]);
            large.putPassing(Table.PARTS, key(1), new byte[100]);
            large.delete(Table.HEADERS, key(0));
            large.deleteRange(Table.HEADERS, key(10), key(20));
            TestNodes.append(log, large).join();

            // then
            assertThat(log.get(Table.BODIES, key(1))).hasSize(9 << 20);
            assertThat(nodes.sameRows()).hasSize(1000 - 11 + 2 + 1);
        }
    }

    @Test
    void shouldRefuseMessagesThatNoLogHasBrought() throws IOException {
        // given
        Path store = directory.resolve("a").resolve("store");
        Files.createDirectories(store.getParent());
        try (ShardLog alone =
                RocksShardLog.open(store, Runnable::run, RocksSettings.within(16 << 20))) {
            TestNodes.append(alone, batch(1, 10)).join();
        }

        // then
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            assertThatThrownBy(() -> nodes.start("a"))
                    .hasStackTraceContaining("expected no messages in " + store);
        }
    }

    @Test
    void shouldTellHowLongEachBatchTook() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.start("a");
            nodes.start("b");
            ShardLog log = nodes.lead();

            // when
            long begin = System.nanoTime();
            appendAll(log, 0, 100);
            long took = System.nanoTime() - begin;

            // then
            assertThat(nodes.appendNanos)
                    .hasSize(100)
                    .allSatisfy(nanos -> assertThat(nanos).isBetween(1L, took));
        }
    }

    @Test
    void shouldNotTimeWhatIsNotConfirmed() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a")) {
            nodes.start("a");
            ShardLog first = nodes.lead();
            nodes.lead();

            // when
            assertThatThrownBy(() -> TestNodes.append(first, batch(1, 1)).join())
                    .hasCauseInstanceOf(LogException.class);

            // then
            assertThat(nodes.appendNanos).isEmpty();
        }
    }

    @Test
    void shouldKeepWhatWasCompletedWhenTheLeaderGoes() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.startAll();
            String first = nodes.leader();
            ShardLog old = nodes.lead();
            appendAll(old, 0, 100);

            // when
            nodes.stop(first);
            ShardLog log = nodes.lead();
            appendAll(log, 100, 200);

            // then
            assertThatThrownBy(() -> TestNodes.append(old, batch(999, 1)).join())
                    .cause()
                    .isInstanceOfSatisfying(
                            LogException.class,
                            failure ->
                                    assertThat(failure.reason())
                                            .isEqualTo(LogException.Reason.FENCED));
            assertThat(log.epoch()).isGreaterThan(old.epoch());
            nodes.start(first);
            assertThat(nodes.sameRows()).hasSize(200 + 1);
        }
    }

    @Test
    void shouldRefuseAnEarlierOwnerOfTheSameTerm() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a")) {
            nodes.start("a");
            ShardLog first = nodes.lead();
            appendAll(first, 0, 10);

            // when
            ShardLog second = nodes.lead();

            // then
            assertThatThrownBy(() -> TestNodes.append(first, batch(11, 1)).join())
                    .hasCauseInstanceOf(LogException.class);
            appendAll(second, 20, 30);
            assertThat(nodes.sameRows()).hasSize(20 + 1);
        }
    }

    @Test
    void shouldGiveALateNodeASnapshot() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.start("a");
            nodes.start("b");
            ShardLog log = nodes.lead();
            List<CompletableFuture<Void>> results = new ArrayList<>();
            // Enough for the log to be cut: it goes by segments of 32 MiB.
            for (int i = 0; i < 40; i++) {
                results.add(TestNodes.append(log, batch(i, 1 << 20)));
            }
            results.forEach(CompletableFuture::join);
            nodes.node("a").snapshot();
            nodes.node("b").snapshot();
            appendAll(log, 100, 200);

            // when
            ClusterNode late = nodes.start("c");

            // then
            assertThat(nodes.sameRows()).hasSize(40 + 100 + 1);
            assertThat(late.status().snapshotMillis()).isPositive();
            TestNodes.await(() -> !late.status().leaderAddress().clients().isEmpty());
            String leads = nodes.leader();
            assertThat(late.status().leaderAddress())
                    .isEqualTo(
                            new LeaderAddress(
                                    "client-of-" + leads + ":61616", "http://" + leads + ":8161"));
        }
    }

    @Test
    void shouldKeepTheLogForANodeThatNeedsIt() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.start("a");
            nodes.start("b");
            ShardLog log = nodes.lead();
            for (int i = 0; i < 150; i++) {
                TestNodes.append(log, batch(i, 100)).join();
            }
            ClusterNode leader = nodes.node(nodes.leader());

            // when, then
            leader.makeSnapshot(256 << 20);
            assertThat(leader.status().snapshotMillis()).isZero();

            // when, then
            nodes.start("c");
            assertThat(nodes.sameRows()).hasSize(150 + 1);
            TestNodes.await(
                    () -> leader.status().lag().values().stream().allMatch(lag -> lag < 100));
            leader.makeSnapshot(256 << 20);
            assertThat(leader.status().snapshotMillis()).isPositive();
        }
    }

    @Test
    void shouldNotKeepTheLogWithoutEnd() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.start("a");
            nodes.start("b");
            ShardLog log = nodes.lead();
            for (int i = 0; i < 150; i++) {
                TestNodes.append(log, batch(i, 100)).join();
            }
            ClusterNode leader = nodes.node(nodes.leader());

            // when
            leader.makeSnapshot(1 << 30);

            // then
            assertThat(leader.status().snapshotMillis()).isPositive();
        }
    }

    @Test
    void shouldGoOnWhenAllWereStopped() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.startAll();
            appendAll(nodes.lead(), 0, 100);

            // when
            nodes.stopAll();
            nodes.startAll();

            // then
            appendAll(nodes.lead(), 100, 200);
            assertThat(nodes.sameRows()).hasSize(200 + 1);
        }
    }

    private static String another(String name) {
        return name.equals("a") ? "b" : "a";
    }

    private static String third(String one, String other) {
        return List.of("a", "b", "c").stream()
                .filter(name -> !name.equals(one) && !name.equals(other))
                .findFirst()
                .orElseThrow();
    }

    private static long lag(ClusterNode leader, String follower) {
        return leader.status().lag().getOrDefault(follower, Long.MAX_VALUE);
    }

    @Test
    void shouldHandTheLeadOverToTheNodeThatIsNamed() throws Exception {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.startAll();
            String first = nodes.leader();
            ShardLog old = nodes.lead();
            appendAll(old, 0, 100);
            old.close();
            String wanted = another(first);
            TestNodes.await(() -> lag(nodes.node(first), wanted) < 100);
            long term = nodes.node(first).status().term();

            // when
            nodes.node(first).checkHandOver(wanted);
            nodes.node(first).handOver(wanted);

            // then
            assertThat(nodes.node(first).status().leader()).isEqualTo(wanted);
            ShardLog log = nodes.lead();
            assertThat(nodes.leader()).isEqualTo(wanted);
            assertThat(nodes.node(wanted).status().term()).isEqualTo(term + 1);
            appendAll(log, 100, 200);
            assertThat(nodes.sameRows()).hasSize(200 + 1);
        }
    }

    @Test
    void shouldHandTheLeadOverToANodeThatIsThere() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.startAll();
            String first = nodes.leader();
            String gone = another(first);
            ShardLog old = nodes.lead();
            nodes.stop(gone);
            appendAll(old, 0, 100);
            old.close();

            // when
            nodes.node(first).handOver();

            // then
            String next = third(first, gone);
            TestNodes.await(() -> nodes.node(next).status().role() == ClusterStatus.Role.LEADER);
            appendAll(nodes.lead(), 100, 200);
            nodes.start(gone);
            assertThat(nodes.sameRows()).hasSize(200 + 1);
        }
    }

    @Test
    void shouldKeepTheLeadIfNobodyElseIsThere() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a")) {
            nodes.start("a");
            ShardLog log = nodes.lead();

            // when
            nodes.node("a").handOver();

            // then
            appendAll(log, 0, 10);
            assertThat(nodes.node("a").status().role()).isEqualTo(ClusterStatus.Role.LEADER);
        }
    }

    @Test
    void shouldSayWhyANodeCannotTakeTheLeadOver() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.startAll();
            String leader = nodes.leader();
            String gone = another(leader);
            String follower = third(leader, gone);
            nodes.lead();

            // then
            assertRefused(
                    nodes.node(leader),
                    "x",
                    ClusterChangeException.Reason.UNKNOWN_NODE,
                    "expected one of the nodes a, b, c, found 'x'");
            assertRefused(
                    nodes.node(leader),
                    leader,
                    ClusterChangeException.Reason.CONFLICT,
                    "node '" + leader + "' leads already");
            assertRefused(
                    nodes.node(follower),
                    gone,
                    ClusterChangeException.Reason.NOT_LEADING,
                    "this node does not lead its cluster any more");

            // when
            nodes.stop(gone);
            TestNodes.await(() -> isRefused(nodes.node(leader), gone));

            // then
            assertThatThrownBy(() -> nodes.node(leader).checkHandOver(gone))
                    .hasMessageContaining("node '" + gone + "' has not answered for ");
            assertThat(isRefused(nodes.node(leader), follower)).isFalse();
        }
    }

    private static boolean isRefused(ClusterNode node, String to) {
        try {
            node.checkHandOver(to);
            return false;
        } catch (ClusterChangeException e) {
            return true;
        }
    }

    private static void assertRefused(
            ClusterNode node, String to, ClusterChangeException.Reason reason, String message) {
        assertThatThrownBy(() -> node.checkHandOver(to))
                .isInstanceOfSatisfying(
                        ClusterChangeException.class,
                        refused -> {
                            assertThat(refused.reason()).isEqualTo(reason);
                            assertThat(refused).hasMessage(message);
                        });
    }

    @Test
    void shouldTellHowFarEachNodeIsBehind() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.startAll();
            String leader = nodes.leader();
            String gone = another(leader);
            String follower = third(leader, gone);
            ShardLog log = nodes.lead();
            TestNodes.await(() -> nodes.node(leader).status().lag().containsKey(gone));

            // when
            nodes.stop(gone);
            // One after the other, so that each is an entry.
            for (int i = 0; i < 50; i++) {
                appendAll(log, i, i + 1);
            }

            // then
            TestNodes.await(() -> lag(nodes.node(leader), follower) == 0);
            assertThat(nodes.node(leader).status().lag())
                    .containsOnlyKeys(gone, follower)
                    .hasEntrySatisfying(gone, lag -> assertThat(lag).isGreaterThanOrEqualTo(50));
        }
    }

    @Test
    void shouldLeaveTheLeadToANodeWhoseDiskHasRoom() throws Exception {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            nodes.startAll();
            String leads = nodes.leader();
            String roomy = another(leads);
            String full = third(leads, roomy);
            ClusterNode leader = nodes.node(leads);
            nodes.rooms.put(full, DiskRoom.FULL);
            TestNodes.await(() -> leader.status().lag().size() == 2);

            // when most are full
            nodes.rooms.put(leads, DiskRoom.FULL);
            TimeUnit.SECONDS.sleep(9);

            // then
            assertThat(nodes.wanted).isEmpty();

            // when one of them gets a little room
            nodes.rooms.put(full, DiskRoom.SCARCE);

            // then
            TestNodes.await(() -> !nodes.wanted.isEmpty());
            TimeUnit.SECONDS.sleep(3);
            assertThat(nodes.wanted).containsExactly(roomy);
        }
    }

    @Test
    void shouldTellForHowLongANodeIsSilent() throws IOException {
        // given a node that never runs
        try (TestNodes nodes = new TestNodes(directory, "a", "b", "c")) {
            long begin = System.nanoTime();
            nodes.start("a");
            nodes.start("b");
            String name = nodes.leader();
            ClusterNode leader = nodes.node(name);
            String follower = name.equals("a") ? "b" : "a";

            // when
            TestNodes.await(() -> silentMillis(leader, "c") > 1000);

            // then
            long silent = silentMillis(leader, "c");
            assertThat(Duration.ofMillis(silent))
                    .isLessThanOrEqualTo(Duration.ofNanos(System.nanoTime() - begin));
            TestNodes.await(() -> silentMillis(leader, follower) < 1000);
            assertThat(leader.status().lag()).containsOnlyKeys(follower);
            assertThat(leader.nodes())
                    .filteredOn(node -> node.node().equals("c"))
                    .singleElement()
                    .satisfies(node -> {
                        assertThat(node.behind()).isNull();
                        assertThat(node.silentMillis()).isGreaterThan(1000);
                    });
        }
    }

    private static long silentMillis(ClusterNode leader, String node) {
        return leader.status().silentMillis().getOrDefault(node, 0L);
    }
}
