package winnow.broker.storage;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.RowConsumer;
import winnow.store.RowOwner;
import winnow.store.ShardLog;
import winnow.store.Table;

/// A log whose appends are counted on the shard's thread, which appends and on which completions
/// are called.
final class MeasuredLog implements ShardLog {
    private final ShardLog log;
    private final LogMeter meter;

    MeasuredLog(ShardLog log, LogMeter meter) {
        this.log = log;
        this.meter = meter;
    }

    @Override
    public long epoch() {
        return log.epoch();
    }

    @Override
    public void append(Batch batch, Durability durability, Completion completion) {
        long start = System.nanoTime();
        meter.onAppended(batch.bytes(), start);
        log.append(
                batch,
                durability,
                new Completion() {
                    @Override
                    public void onWritten() {
                        long now = System.nanoTime();
                        meter.onCompleted(now);
                        if (durability == Durability.SYNCED) {
                            meter.onCommitted(now - start);
                        }
                        completion.onWritten();
                    }

                    @Override
                    public void onFailed(LogException failure) {
                        meter.onCompleted(System.nanoTime());
                        completion.onFailed(failure);
                    }
                });
    }

    @Override
    public @Nullable RowOwner owner(Table table, byte[] key) {
        return log.owner(table, key);
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
    public void flush() {
        log.flush();
    }

    @Override
    public void shrink() {
        log.shrink();
    }

    @Override
    public void merging(boolean allowed) {
        log.merging(allowed);
    }

    @Override
    public void close() {
        log.close();
    }
}
