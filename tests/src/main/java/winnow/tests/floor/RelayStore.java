package winnow.tests.floor;

import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.Table;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;

/// A [RelayLog] that is the log of Winnow's store, with one row for each message and nothing else:
/// its thread writes and syncs what has come meanwhile. A row takes the place of an old one, as if
/// that message had been received, so that few rows get to data files. For one loop.
final class RelayStore implements RelayLog {
    private static final int ROW_BYTES = 64;
    private static final int ROWS = 1_000;

    private final RocksShardLog log;

    /// Written by the loop before it appends, read by the log's thread after that.
    private volatile @Nullable EventLoop loop;

    private long appended;

    RelayStore(Path directory) {
        log = RocksShardLog.open(directory, this::onLoop, RocksSettings.defaults());
    }

    private void onLoop(Runnable completed) {
        EventLoop current = loop;
        if (current != null) {
            current.execute(completed);
        }
    }

    @Override
    public void append(byte[] message, EventLoop caller, Runnable stored) {
        if (loop == null) {
            loop = caller;
        }
        Batch batch = new Batch(message.length + ROW_BYTES);
        byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(appended++ % ROWS).array();
        batch.put(Table.HEADERS, key, message);
        log.append(batch, Durability.SYNCED, new Stored(stored));
    }

    private record Stored(Runnable then) implements Completion {
        @Override
        public void onWritten() {
            then.run();
        }

        @Override
        public void onFailed(LogException failure) {
            throw failure;
        }
    }
}
