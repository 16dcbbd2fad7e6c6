package winnow.broker.shard;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import winnow.broker.shard.Blocks.Spec;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.Table;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;

/// A store in files, as a broker leaves it: queue `orders` with messages that have large and small
/// bodies by turns, and topic `prices` with the durable subscriptions `early` and `late`, of which
/// `late` came after half of the messages.
public final class ExampleStore implements AutoCloseable {
    /// Bytes of a body that has a row of its own.
    public static final int LARGE_BODY = 1000;

    private static final int SMALL_BODY = 8;

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final RocksShardLog log;
    private final Shard shard;
    private int waiting;

    private ExampleStore(Path store) {
        log = open(store);
        shard =
                ShardRecovery.open(
                        log,
                        ShardConfig.DEFAULTS,
                        tasks::add,
                        tasks::add,
                        number -> "name " + number,
                        1000);
    }

    private RocksShardLog open(Path store) {
        return RocksShardLog.open(store, tasks::add, RocksSettings.within(1));
    }

    /// Writes a store with so many messages for each of the two destinations; an even number.
    public static void write(Path store, int messages) {
        try (ExampleStore example = new ExampleStore(store)) {
            example.send(example.shard.queue("orders"), messages);
            StoredDestination topic = example.shard.topic("prices");
            example.shard.subscribe(topic, named("early"), Outcome.IGNORED);
            example.send(topic, messages / 2);
            example.shard.subscribe(topic, named("late"), Outcome.IGNORED);
            example.send(topic, messages / 2);
        }
        // What the write-ahead log has goes to the data files now.
        change(store, new Batch());
    }

    private static SubscriptionName named(String name) {
        return new SubscriptionName("desk", name, false, true, false, "", "");
    }

    private void send(StoredDestination destination, int messages) {
        for (int i = 0; i < messages; i++) {
            int body = i % 2 == 0 ? LARGE_BODY : SMALL_BODY;
            waiting++;
            shard.append(
                    destination,
                    Blocks.block(new Spec(i, true, 4, 0, 0, body)),
                    0,
                    Recipients.NONE,
                    "",
                    new Counted());
        }
        settle();
    }

    private final class Counted implements Outcome {
        @Override
        public void onDone() {
            waiting--;
        }

        @Override
        public void onFailed(LogException cause) {
            throw cause;
        }
    }

    private void settle() {
        shard.flush();
        while (waiting > 0) {
            take().run();
            shard.flush();
        }
    }

    private Runnable take() {
        try {
            return tasks.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    /// Removes the row of a large body.
    ///
    /// @param number of a message of the queue, from 0; even
    public static void loseBody(Path store, int number) {
        Batch batch = new Batch();
        batch.delete(Table.BODIES, Keys.of(1, number));
        change(store, batch);
    }

    /// Changes a byte of a message with a small body.
    ///
    /// @param number of a message of the queue, from 0; odd
    public static void changeByte(Path store, int number) {
        List<byte[]> rows = new ArrayList<>();
        byte[] key = Keys.of(1, number);
        try (RocksShardLog log =
                RocksShardLog.open(store, Runnable::run, RocksSettings.within(1))) {
            log.scan(Table.HEADERS, key, Keys.of(1, number + 1), (_, row) -> rows.add(row));
        }
        byte[] row = rows.getFirst();
        row[row.length - 1] ^= 1;
        Batch batch = new Batch();
        batch.put(Table.HEADERS, key, row);
        change(store, batch);
    }

    /// Puts a message of the queue aside, as a broker does that finds it damaged.
    public static void putAside(Path store, int number) {
        Batch batch = new Batch();
        StoredDestination destination = ShardRows.destination(Keys.of(1), destinationRow(store));
        new Damage(number, "its checksum is wrong", new byte[] {1}, null)
                .putAside(batch, destination);
        change(store, batch);
    }

    private static byte[] destinationRow(Path store) {
        try (RocksShardLog log =
                RocksShardLog.open(store, Runnable::run, RocksSettings.within(1))) {
            byte[] row = log.get(Table.DESTINATIONS, Keys.of(1));
            if (row == null) {
                throw new IllegalStateException("expected a queue, found none");
            }
            return row;
        }
    }

    /// Marks a message of the queue as acknowledged, and all before it.
    public static void acknowledgeUpTo(Path store, int number) {
        Batch batch = new Batch();
        byte[] row = ByteBuffer.allocate(16).putLong(number + 1).putLong(0).array();
        batch.put(Table.PROGRESS, Keys.of(2), row);
        change(store, batch);
    }

    private static void change(Path store, Batch batch) {
        BlockingQueue<Runnable> completions = new LinkedBlockingQueue<>();
        try (RocksShardLog log =
                RocksShardLog.open(store, completions::add, RocksSettings.within(1))) {
            log.append(batch, Durability.SYNCED, FAIL);
        }
        completions.forEach(Runnable::run);
        RocksShardLog.open(store, Runnable::run, RocksSettings.within(1)).close();
    }

    private static final Completion FAIL =
            new Completion() {
                @Override
                public void onWritten() {}

                @Override
                public void onFailed(LogException cause) {
                    throw cause;
                }
            };

    @Override
    public void close() {
        log.close();
    }
}
