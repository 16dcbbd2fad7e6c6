package winnow.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;

/// Delivers from a store in files of which one is damaged.
@Timeout(120)
class DamagedStoreTest {
    private static final int MESSAGES = 2000;

    @TempDir private Path temporary;

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final List<Long> received = new ArrayList<>();
    private boolean acknowledged;

    /// The data file with the bodies, which are the most of the store.
    private static Path largestDataFile(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store.resolve("rocksdb"))) {
            return files.filter(file -> file.toString().endsWith(".sst"))
                    .max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
    }

    private static void flipBit(Path file, long at) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int old = bytes.read();
            bytes.seek(at);
            bytes.write(old ^ 4);
        }
    }

    private RocksShardLog openLog(Path store) {
        return RocksShardLog.open(store, tasks::add, RocksSettings.within(1));
    }

    private Shard openShard(RocksShardLog log) {
        return ShardRecovery.open(
                log,
                ShardConfig.DEFAULTS,
                tasks::add,
                tasks::add,
                number -> "name " + number,
                1000);
    }

    private void runOne(Shard shard) throws InterruptedException {
        shard.flush();
        Runnable task = tasks.poll(60, TimeUnit.SECONDS);
        assertThat(task).as("after %s messages", received.size()).isNotNull();
        task.run();
        shard.flush();
    }

    @Test
    void shouldDeliverAllButTheMessagesOfADamagedBlock() throws Exception {
        // given
        Path store = temporary.resolve("store");
        ExampleStore.write(store, MESSAGES);
        Path file = largestDataFile(store);
        flipBit(file, Files.size(file) / 4);

        try (RocksShardLog log = openLog(store)) {
            Shard shard = openShard(log);
            StoredDestination queue = shard.catalog().findQueue("orders").orElseThrow();

            // when
            List<Long> sequences = new ArrayList<>();
            StoredConsumer consumer =
                    shard.attach(
                            queue.queue(),
                            null,
                            (its, sequence, earlier, block, maxNameId) -> {
                                sequences.add(sequence);
                                received.add(Blocks.id(block));
                            });
            shard.onCredit(consumer, MESSAGES, Integer.MAX_VALUE);
            while (received.size() + queue.counts().damaged() < MESSAGES) {
                runOne(shard);
            }

            // then
            assertThat(queue.counts().damaged()).isBetween(1L, 200L);
            assertThat(received).doesNotHaveDuplicates().isSorted();
            assertThat(shard.failure()).isEmpty();

            acknowledge(shard, consumer, sequences);
            assertThat(queue.queue().messages()).isZero();
        }

        try (RocksShardLog log = openLog(store)) {
            Shard again = openShard(log);
            assertThat(again.catalog().findQueue("orders").orElseThrow().queue().messages())
                    .isZero();
        }
    }

    private void acknowledge(Shard shard, StoredConsumer consumer, List<Long> sequences)
            throws InterruptedException {
        shard.acknowledge(
                consumer,
                sequences.stream().mapToLong(Long::longValue).toArray(),
                Durability.SYNCED,
                new Outcome() {
                    @Override
                    public void onDone() {
                        acknowledged = true;
                    }

                    @Override
                    public void onFailed(LogException cause) {
                        throw cause;
                    }
                });
        while (!acknowledged) {
            runOne(shard);
        }
    }
}
