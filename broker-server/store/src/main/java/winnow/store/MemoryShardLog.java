package winnow.store;

import java.nio.file.Path;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// A log on the heap, for a broker that keeps nothing when it ends. What was appended is complete
/// at once.
public final class MemoryShardLog implements ShardLog {
    private final MemoryTables tables = new MemoryTables();
    private final Executor executor;
    private volatile boolean closed;

    /// @param executor calls the completions, one after the other
    public MemoryShardLog(Executor executor) {
        this.executor = executor;
    }

    /// Heap that the rows take, about. Any thread; of a moment ago.
    public long bytes() {
        return tables.bytes();
    }

    @Override
    public long epoch() {
        return 1;
    }

    @Override
    public void append(Batch batch, Durability durability, Completion completion) {
        if (closed) {
            LogException failure =
                    new LogException(LogException.Reason.CLOSED, "the log has been closed");
            executor.execute(() -> completion.onFailed(failure));
            return;
        }
        tables.apply(batch);
        executor.execute(completion::onWritten);
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        return tables.get(table, key);
    }

    @Override
    public @Nullable RowOwner owner(Table table, byte[] key) {
        return tables.owner(table, key);
    }

    @Override
    public void scan(Table table, byte[] from, byte[] to, RowConsumer rows) {
        tables.scan(table, from, to, rows);
    }

    @Override
    public void reclaim(Table table, byte[] from, byte[] to) {
        // The heap gives space back by itself.
    }

    @Override
    public void checkpoint(Path directory) {
        throw new UnsupportedOperationException(
                "a broker without a data directory keeps nothing that could be copied");
    }

    @Override
    public void close() {
        closed = true;
    }
}
