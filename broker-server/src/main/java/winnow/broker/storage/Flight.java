package winnow.broker.storage;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import winnow.broker.shard.DeliveryShare;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredConsumer;
import winnow.wire.Protocol;

/// What is on its way from the shard to one connection's socket. Beyond a limit the shard delivers
/// no more to the connection, whatever credit its client has given, until the socket has taken half
/// of it.
public final class Flight {
    /// Four times what leaves in one write.
    private static final long LIMIT_BYTES = 256 * 1024;

    /// What a delivery takes beside its block.
    private static final int DELIVERY_BYTES = 64;

    private final AtomicLong bytes = new AtomicLong();

    /// For parts that are being read. It keeps other parts waiting, but no messages. Owned by the
    /// shard's thread.
    private long reserved;

    /// Consumers that could get more. Owned by the shard's thread.
    private final Set<StoredConsumer> waiting = new LinkedHashSet<>();

    /// Bodies whose next part could be read. Owned by the shard's thread.
    private final Set<PartStream> streams = new LinkedHashSet<>();

    private final DeliveryShare share = new DeliveryShare();
    private volatile boolean someWait;

    /// What the connection has and has not acknowledged. Shard's thread only.
    DeliveryShare share() {
        return share;
    }

    /// Whether there is room; if not, the consumer is looked at again when there is. Shard's thread
    /// only.
    boolean hasRoom(StoredConsumer consumer) {
        if (bytes.get() < LIMIT_BYTES) {
            return true;
        }
        waiting.add(consumer);
        someWait = true;
        // The socket may have taken everything since.
        return bytes.get() < LIMIT_BYTES / 2;
    }

    /// Reserves room for the next part of a body before it is read; if there is none, the stream is
    /// told when there is. Shard's thread only.
    boolean reserve(PartStream stream) {
        if (reserved > 0 || bytes.get() >= LIMIT_BYTES) {
            streams.add(stream);
            someWait = true;
            // The socket may have taken everything since.
            if (reserved > 0 || bytes.get() >= LIMIT_BYTES / 2) {
                return false;
            }
            streams.remove(stream);
        }
        reserved += Protocol.MAX_PART_BYTES;
        return true;
    }

    /// What was reserved for a part is not needed any more. Shard's thread only.
    void release(Shard shard) {
        reserved -= Protocol.MAX_PART_BYTES;
        if (bytes.get() < LIMIT_BYTES / 2 && someWait) {
            someWait = false;
            resume(shard);
        }
    }

    /// A part has been read: it takes the room that was reserved. Shard's thread only.
    void onRead(int partBytes) {
        reserved -= Protocol.MAX_PART_BYTES;
        bytes.addAndGet(partBytes + DELIVERY_BYTES);
    }

    /// A delivery begins. Shard's thread only.
    void onSent(int blockBytes) {
        bytes.addAndGet(blockBytes + DELIVERY_BYTES);
    }

    /// The socket's output has taken a delivery, or it is void. Event loop only.
    ///
    /// @return whether [#resume] is to be called on the shard's thread
    public boolean onTaken(int blockBytes) {
        long left = bytes.addAndGet(-(long) (blockBytes + DELIVERY_BYTES));
        if (left >= LIMIT_BYTES / 2 || !someWait) {
            return false;
        }
        someWait = false;
        return true;
    }

    /// Lets the consumers and bodies that waited go on. Shard's thread only.
    void resume(Shard shard) {
        Set<PartStream> reading = new LinkedHashSet<>(streams);
        streams.clear();
        reading.forEach(PartStream::proceed);
        Set<StoredConsumer> resuming = new LinkedHashSet<>(waiting);
        waiting.clear();
        for (StoredConsumer consumer : resuming) {
            // Another shard may have taken the place of the consumer's.
            if (!consumer.subscription().destination().removed()) {
                shard.resume(consumer);
            }
        }
    }

    /// A consumer has ended. Shard's thread only.
    void forget(StoredConsumer consumer) {
        waiting.remove(consumer);
    }
}
