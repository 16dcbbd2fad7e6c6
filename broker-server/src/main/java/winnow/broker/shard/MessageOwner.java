package winnow.broker.shard;

import winnow.store.RowOwner;

/// Counts the memory of a shard that the messages of one sender take: of a user, or of the address
/// of a client without one. Owned by the shard.
final class MessageOwner implements RowOwner {
    /// Rows are charged by the chunk, so that a message costs an addition.
    private static final int CHUNK_BYTES = 4 * 1024;

    private final String name;
    private final StoreMemory memory;

    /// Bytes of its messages that are in the [MessageWindow].
    long windowBytes;

    private long rowBytes;
    private long chargedBytes;

    MessageOwner(String name, StoreMemory memory) {
        this.name = name;
        this.memory = memory;
    }

    String name() {
        return name;
    }

    /// Bytes of its messages in the window and in the log.
    long bytes() {
        return windowBytes + rowBytes;
    }

    @Override
    public void onRows(long changeBytes) {
        rowBytes += changeBytes;
        memory.rowBytes += changeBytes;
        long wanted = Math.ceilDiv(rowBytes, CHUNK_BYTES) * CHUNK_BYTES;
        long unneeded = chargedBytes - wanted;
        if (unneeded < 0 || unneeded > CHUNK_BYTES || (unneeded > 0 && wanted == 0)) {
            memory.shares().giveBack(name, unneeded);
            chargedBytes = wanted;
        }
    }
}
