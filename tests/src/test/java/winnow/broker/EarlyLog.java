package winnow.broker;

import java.nio.file.Path;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.RowConsumer;
import winnow.store.ShardLog;
import winnow.store.Table;

/// A log that calls a batch complete as soon as it has been handed on, whatever becomes of it.
/// Thread-safe.
final class EarlyLog implements ShardLog {
    private static final Completion NOBODY =
            new Completion() {
                @Override
                public void onWritten() {}

                @Override
                public void onFailed(LogException failure) {}
            };

    private final ShardLog log;
    private final Executor completions;

    /// @param log that batches are handed on to
    EarlyLog(ShardLog log, Executor completions) {
        this.log = log;
        this.completions = completions;
    }

    @Override
    public void append(Batch batch, Durability durability, Completion completion) {
        log.append(batch, durability, NOBODY);
        completions.execute(completion::onWritten);
    }

    @Override
    public long epoch() {
        return log.epoch();
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        return log.get(table, key);
    }

    @Override
    public void scan(Table table, byte[] from, byte[] to, RowConsumer rows) {
        log.scan(table, from, to, rows);
    }

    @Override
    public void reclaim(Table table, byte[] from, byte[] to) {
        log.reclaim(table, from, to);
    }

    @Override
    public void checkpoint(Path directory) {
        log.checkpoint(directory);
    }

    @Override
    public void close() {
        log.close();
    }
}
