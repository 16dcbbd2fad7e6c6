package winnow.broker.subscription;

import java.util.ArrayDeque;

/// Arrays for backlogs, used again and again: chunks live too long for the young generation (with
/// 40 slow consumers and 40 MB waiting it was collected 22 times in 6 s, 27 ms each). Owned by one
/// event loop.
public final class ChunkPool {
    /// Length of every pooled array.
    static final int CHUNK_BYTES = 64 * 1024;

    /// Arrays kept for later: 32 MiB.
    private static final int MAX_KEPT = 512;

    private final ArrayDeque<byte[]> free = new ArrayDeque<>();

    byte[] take() {
        byte[] chunk = free.pollLast();
        return chunk == null ? new byte[CHUNK_BYTES] : chunk;
    }

    /// Takes an array back if it is one of this pool's and there is room.
    void give(byte[] chunk) {
        if (chunk.length == CHUNK_BYTES && free.size() < MAX_KEPT) {
            free.addLast(chunk);
        }
    }
}
