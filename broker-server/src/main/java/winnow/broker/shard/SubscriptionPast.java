package winnow.broker.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/// Acknowledgements of a subscription in the log. Owned by the thread that reads the log.
final class SubscriptionPast {
    private final Map<Long, RoaringBitmap> chunks = new HashMap<>();

    /// Everything below has been acknowledged.
    private long head;

    void readProgress(byte[] row) {
        head = ByteBuffer.wrap(row).getLong();
    }

    /// Takes what was acknowledged in one chunk beyond the head.
    ///
    /// @throws IOException if the row is none
    void readChunk(byte[] key, byte[] row) throws IOException {
        RoaringBitmap set = new RoaringBitmap();
        set.deserialize(ByteBuffer.wrap(row));
        chunks.put(Keys.number(key), set);
    }

    boolean acknowledged(long sequence) {
        if (sequence < head) {
            return true;
        }
        RoaringBitmap chunk = chunks.get(sequence >>> Progress.CHUNK_BITS);
        return chunk != null && chunk.contains((int) sequence & ((1 << Progress.CHUNK_BITS) - 1));
    }
}
