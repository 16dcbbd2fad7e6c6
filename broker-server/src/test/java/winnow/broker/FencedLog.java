package winnow.broker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.MemoryShardLog;
import winnow.store.RowConsumer;
import winnow.store.ShardLog;
import winnow.store.Table;

/// A log on the heap that another owner takes when a test says so: what was on its way by then is
/// neither confirmed nor known to be lost. Thread-safe.
final class FencedLog implements ShardLog {
    private final MemoryShardLog log;
    private final Executor completions;

    /// Completions of what is on its way. Guarded by itself, as are the two that follow.
    private final List<Completion> held = new ArrayList<>();

    private boolean holding;
    private boolean fenced;

    FencedLog(Executor completions) {
        this.completions = completions;
        this.log = new MemoryShardLog(completions);
    }

    /// Leaves on its way what is appended from now on.
    void hold() {
        synchronized (held) {
            holding = true;
        }
    }

    /// Batches that are on their way.
    int heldBatches() {
        synchronized (held) {
            return held.size();
        }
    }

    /// Gives the log to another owner.
    void fence() {
        synchronized (held) {
            fenced = true;
            held.forEach(this::fail);
            held.clear();
        }
    }

    private void fail(Completion completion) {
        completions.execute(() ->
                completion.onFailed(
                        new LogException(LogException.Reason.FENCED, "another owner has it")));
    }

    @Override
    public void append(Batch batch, Durability durability, Completion completion) {
        synchronized (held) {
            if (fenced) {
                fail(completion);
            } else if (holding) {
                held.add(completion);
            } else {
                log.append(batch, durability, completion);
            }
        }
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
