package winnow.broker.shard;

import org.roaringbitmap.longlong.Roaring64Bitmap;

/// Limits the bytes that lanes with filters keep of the backlogs that they have not seen, of all
/// lanes together. Owned by the shard.
final class LaneMemory {
    /// Those who begin a consumer are charged for so much anyway.
    private static final int FREE_BYTES = 1024;

    private final long maxBytes;
    private long bytes;

    LaneMemory(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// What a lane is charged for that has not seen these.
    static long bytes(Roaring64Bitmap unseen) {
        return Math.max(0, unseen.getLongSizeInBytes() - FREE_BYTES);
    }

    long bytes() {
        return bytes;
    }

    /// @throws BacklogLimitException if there are too many; the first lane may have any number
    void charge(long wanted) {
        if (bytes > 0 && bytes + wanted > maxBytes) {
            throw new BacklogLimitException(
                    "the consumers with selectors keep "
                            + bytes
                            + " bytes of what waits in their queues, another one would keep "
                            + wanted
                            + ", and the limit is "
                            + maxBytes);
        }
        bytes += wanted;
    }

    void giveBack(long charged) {
        bytes -= charged;
    }
}
