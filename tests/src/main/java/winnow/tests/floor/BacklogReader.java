package winnow.tests.floor;

import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import winnow.store.ShardLog;
import winnow.store.Table;

/// Reads the messages of a store in their order, as many at a time as the broker does, and a few
/// times ahead. It knows nothing of a message but its two rows. One thread reads; another one says
/// when it needs more.
final class BacklogReader {
    /// Messages that are read together, as by the broker.
    private static final int READ_TOGETHER = 1024;

    /// Readings that may wait to be sent.
    private static final int AHEAD = 4;

    private static final byte[] FIRST = {};
    private static final byte[] END = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

    private final ShardLog log;
    private final Semaphore places = new Semaphore(AHEAD);

    BacklogReader(ShardLog log) {
        this.log = log;
    }

    /// Messages that were read together.
    static final class Chunk {
        final byte[][] keys = new byte[READ_TOGETHER][];
        final byte[][] headers = new byte[READ_TOGETHER][];
        final byte[][] bodies = new byte[READ_TOGETHER][];
        int size;
        private int complete;

        private boolean onHeader(byte[] key, byte[] row) {
            keys[size] = key;
            headers[size] = row;
            return ++size < READ_TOGETHER;
        }

        private boolean onBody(byte[] key, byte[] row) {
            if (complete == size || !Arrays.equals(key, keys[complete])) {
                throw new IllegalStateException("expected a body for each header, found another");
            }
            bodies[complete++] = row;
            return true;
        }
    }

    /// Begins to read.
    ///
    /// @param chunks called on the reader's thread; the last one is empty
    void start(Consumer<Chunk> chunks) {
        Thread.ofPlatform().daemon().name("backlog-reader").start(() -> run(chunks));
    }

    /// A chunk has been used up.
    void release() {
        places.release();
    }

    private void run(Consumer<Chunk> chunks) {
        byte[] from = FIRST;
        Chunk chunk;
        do {
            places.acquireUninterruptibly();
            chunk = read(from);
            if (chunk.size > 0) {
                from = behind(chunk.keys[chunk.size - 1]);
            }
            chunks.accept(chunk);
        } while (chunk.size > 0);
    }

    private Chunk read(byte[] from) {
        Chunk chunk = new Chunk();
        log.scan(Table.HEADERS, from, END, chunk::onHeader);
        if (chunk.size > 0) {
            byte[] end = behind(chunk.keys[chunk.size - 1]);
            log.scan(Table.BODIES, chunk.keys[0], end, chunk::onBody);
            if (chunk.complete < chunk.size) {
                throw new IllegalStateException("expected a body for each header, found fewer");
            }
        }
        return chunk;
    }

    /// The lowest key above one.
    private static byte[] behind(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }
}
