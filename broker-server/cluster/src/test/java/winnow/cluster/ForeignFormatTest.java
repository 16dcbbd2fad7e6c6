package winnow.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import winnow.store.Batch;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;

class ForeignFormatTest {
    private static final byte[] KEY = {9};

    @TempDir private Path directory;

    @Test
    void shouldEndRatherThanReadTheRowsOfAnotherVersion() throws IOException {
        // given
        try (TestNodes nodes = new TestNodes(directory, "a")) {
            nodes.start("a");
            Batch batch = new Batch();
            batch.put(Table.HEADERS, KEY, new byte[1000]);
            TestNodes.append(nodes.lead(), batch).join();

            // when
            var _ =
                    nodes.node("a")
                            .propose(
                                    ClusterEntry.begin(
                                            ShardLog.FORMAT + 1, LeaderAddress.of("next:61616")));
            TestNodes.await(() -> !nodes.failures().isEmpty());

            // then
            assertThat(nodes.failures().getFirst())
                    .hasMessageContaining(
                            "writes format %d of the store, found format %d",
                            ShardLog.FORMAT, ShardLog.FORMAT + 1);
        }
        TestNodes.await(this::hasClosedItsTables);
        try (RocksShardLog tables = open()) {
            assertThat(tables.get(Table.HEADERS, KEY)).hasSize(1000);
            assertThat(Applied.of(tables.get(Table.META, Applied.key())).owner().clients())
                    .isEqualTo("client-of-a:61616");
        }
    }

    private RocksShardLog open() {
        return RocksShardLog.open(
                directory.resolve("a").resolve("store"),
                Runnable::run,
                RocksSettings.within(16 << 20));
    }

    /// The engine closes them on a thread of its own.
    private boolean hasClosedItsTables() {
        try {
            open().close();
            return true;
        } catch (LogException e) {
            return false;
        }
    }
}
