package winnow.broker.shard;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.MemoryTables;
import winnow.store.RowConsumer;
import winnow.store.RowOwner;
import winnow.store.ShardLog;
import winnow.store.Table;

/// A log whose writes happen when a test says so, and which loses what a crash may lose.
final class SimulatedLog implements ShardLog {
    private static final TreeMap<byte[], LogException.Reason> NONE =
            new TreeMap<>(Arrays::compareUnsigned);

    private final Executor executor;
    private final Deque<Append> pending = new ArrayDeque<>();

    /// What a power failure leaves at least.
    private final List<Batch> synced;

    /// What the end of the process leaves besides.
    private final List<Batch> written = new ArrayList<>();

    private final MemoryTables tables = new MemoryTables();
    private final long epoch;
    private @Nullable LogException failure;
    private int reclaimed;
    private long bytesRead;

    /// In one scan.
    private long mostRead;

    private final Map<Table, TreeMap<byte[], LogException.Reason>> unreadable =
            new EnumMap<>(Table.class);

    private record Append(Batch batch, Durability durability, Completion completion) {}

    SimulatedLog(Executor executor) {
        this(executor, new ArrayList<>(), 1);
    }

    private SimulatedLog(Executor executor, List<Batch> synced, long epoch) {
        this.executor = executor;
        this.synced = synced;
        this.epoch = epoch;
        synced.forEach(tables::apply);
    }

    /// Changes what is on the disk behind everybody's back.
    void damage(Batch batch) {
        tables.apply(batch);
        synced.add(batch);
    }

    /// From now on the row cannot be read, nor any range that it is in.
    void makeUnreadable(Table table, byte[] key, LogException.Reason reason) {
        unreadable
                .computeIfAbsent(table, its -> new TreeMap<>(Arrays::compareUnsigned))
                .put(key, reason);
    }

    private void requireReadable(Table table, byte[] key) {
        LogException.Reason reason = unreadable.getOrDefault(table, NONE).get(key);
        if (reason != null) {
            throw new LogException(reason, "a block of table " + table + " is damaged");
        }
    }

    boolean busy() {
        return !pending.isEmpty();
    }

    /// Writes the oldest batch.
    void step() {
        Append next = pending.removeFirst();
        tables.apply(next.batch);
        written.add(next.batch);
        if (next.durability == Durability.SYNCED) {
            synced.addAll(written);
            written.clear();
        }
        executor.execute(next.completion::onWritten);
    }

    /// Fails the oldest batch and all later ones.
    void fail(LogException.Reason reason) {
        failure = new LogException(reason, "as the test wants it");
        while (!pending.isEmpty()) {
            reject(pending.removeFirst().completion);
        }
    }

    private void reject(Completion completion) {
        LogException cause = failure;
        if (cause != null) {
            executor.execute(() -> completion.onFailed(cause));
        }
    }

    /// What is there after a crash.
    ///
    /// @param power whether the machine fails and not only the process
    /// @param next the executor of who opens it
    SimulatedLog crash(boolean power, RandomGenerator random, Executor next) {
        List<Batch> survivors = new ArrayList<>(synced);
        List<Batch> uncertain = new ArrayList<>();
        (power ? uncertain : survivors).addAll(written);
        pending.forEach(append -> uncertain.add(append.batch));
        survivors.addAll(uncertain.subList(0, random.nextInt(uncertain.size() + 1)));
        return new SimulatedLog(next, survivors, epoch + 1);
    }

    MemoryTables tables() {
        return tables;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public void append(Batch batch, Durability durability, Completion completion) {
        if (failure != null) {
            reject(completion);
        } else {
            pending.add(new Append(batch, durability, completion));
        }
    }

    /// Bytes of rows that were read since [#forgetReads].
    long bytesRead() {
        return bytesRead;
    }

    /// Bytes of rows that one scan has read since [#forgetReads], at most.
    long mostRead() {
        return mostRead;
    }

    void forgetReads() {
        bytesRead = 0;
        mostRead = 0;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        requireReadable(table, key);
        byte[] row = tables.get(table, key);
        bytesRead += row == null ? 0 : row.length;
        return row;
    }

    @Override
    public @Nullable RowOwner owner(Table table, byte[] key) {
        return tables.owner(table, key);
    }

    @Override
    public void scan(Table table, byte[] from, byte[] to, RowConsumer rows) {
        byte[] damaged = unreadable.getOrDefault(table, NONE).ceilingKey(from);
        boolean within = damaged != null && Arrays.compareUnsigned(damaged, to) < 0;
        long before = bytesRead;
        tables.scan(
                table,
                from,
                within ? damaged : to,
                (key, row) -> {
                    bytesRead += row.length;
                    return rows.onRow(key, row);
                });
        mostRead = Math.max(mostRead, bytesRead - before);
        if (within) {
            requireReadable(table, damaged);
        }
    }

    @Override
    public void reclaim(Table table, byte[] from, byte[] to) {
        tables.scan(
                table,
                from,
                to,
                (key, value) -> {
                    throw new AssertionError("a row of " + table + " is there still");
                });
        if (table != Table.HEADERS) {
            // Their files are gone for ever, whatever becomes of the batch that deleted the rows.
            // Those of headers are small, and have other rows, too.
            Batch removed = new Batch();
            removed.deleteRange(table, from, to);
            synced.add(removed);
        }
        reclaimed++;
    }

    int reclaimed() {
        return reclaimed;
    }

    @Override
    public void checkpoint(Path directory) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
