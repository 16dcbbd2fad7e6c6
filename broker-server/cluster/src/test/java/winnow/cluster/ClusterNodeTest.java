package winnow.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.store.Batch;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;

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
            nodes.start("a");
            nodes.start("b");
            nodes.start("c");
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
            nodes.start("a");
            nodes.start("b");
            nodes.start("c");
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
            TestNodes.await(() -> !late.status().leaderAddress().isEmpty());
            assertThat(late.status().leaderAddress()).startsWith("client-of-");
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
            for (String name : List.of("a", "b", "c")) {
                nodes.start(name);
            }
            appendAll(nodes.lead(), 0, 100);

            // when
            nodes.stopAll();
            for (String name : List.of("a", "b", "c")) {
                nodes.start(name);
            }

            // then
            appendAll(nodes.lead(), 100, 200);
            assertThat(nodes.sameRows()).hasSize(200 + 1);
        }
    }
}
