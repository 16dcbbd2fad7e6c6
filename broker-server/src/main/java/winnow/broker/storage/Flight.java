package winnow.broker.storage;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import winnow.broker.shard.Browser;
import winnow.broker.shard.DeliveryShare;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredConsumer;
import winnow.wire.Protocol;

/// Bytes on their way from the shard to one connection's socket. Beyond a limit the shard delivers
/// no more to the connection, whatever credit its client has given, until the socket has taken half
/// of it; and nothing for which [FlightMemory] has no room.
public final class Flight {
    /// Four times what leaves in one write.
    private static final long LIMIT_BYTES = 256 * 1024;

    /// Bytes that a delivery takes beside its block.
    private static final int DELIVERY_BYTES = 64;

    private final FlightMemory memory;

    /// With what is reserved for a part that is being read.
    private final ConnectionShare taken;

    /// For a part that is being read. It keeps other parts waiting, but no messages. Written by the
    /// shard's thread.
    private volatile long reserved;

    /// Bytes of the message or part for which there was no room, 0 if there is none. Owned by the
    /// shard's thread.
    private long wanted;

    /// Consumers that could get more. Owned by the shard's thread.
    private final Set<StoredConsumer> waiting = new LinkedHashSet<>();

    /// Browsers that could show more. Owned by the shard's thread.
    private final Set<Browser> browsers = new LinkedHashSet<>();

    /// Bodies whose next part could be read. Owned by the shard's thread.
    private final Set<PartStream> streams = new LinkedHashSet<>();

    private final DeliveryShare share = new DeliveryShare();
    private volatile boolean someWait;

    /// @param owner whose connection it is
    public Flight(FlightMemory memory, Supplier<String> owner) {
        this.memory = memory;
        this.taken = new ConnectionShare(memory.shares(), owner);
    }

    /// Deliveries that the connection has and has not acknowledged. Shard's thread only.
    DeliveryShare share() {
        return share;
    }

    /// Bytes on their way.
    private long bytes() {
        return taken.bytes() - reserved;
    }

    private boolean isBelow(long limit) {
        return bytes() < limit && finds();
    }

    /// True if there is room for what had none before. Shard's thread only.
    boolean finds() {
        return wanted == 0 || taken.hasRoom(wanted);
    }

    private void await() {
        someWait = true;
        if (wanted > 0) {
            memory.await(this);
        }
    }

    /// True if there is room; if not, the consumer is looked at again when there is. Shard's thread
    /// only.
    boolean hasRoom(StoredConsumer consumer) {
        if (isBelow(LIMIT_BYTES)) {
            return true;
        }
        waiting.add(consumer);
        await();
        // The socket may have taken everything since.
        return isBelow(LIMIT_BYTES / 2);
    }

    /// The same for a browser.
    boolean hasRoom(Browser browser) {
        if (isBelow(LIMIT_BYTES)) {
            return true;
        }
        browsers.add(browser);
        await();
        return isBelow(LIMIT_BYTES / 2);
    }

    /// Takes room for a message, before it is delivered. If there is none, [#hasRoom] is false
    /// until there is. Shard's thread only.
    boolean take(int blockBytes) {
        return takeOrAwait(blockBytes + DELIVERY_BYTES);
    }

    private boolean takeOrAwait(long more) {
        if (!taken.take(more)) {
            wanted = more;
            await();
            // Others may have given room back before it was known that this one waits.
            if (!taken.take(more)) {
                return false;
            }
        }
        wanted = 0;
        return true;
    }

    /// Reserves room for the next part of a body before it is read; if there is none, the stream is
    /// told when there is. Shard's thread only.
    boolean reserve(PartStream stream) {
        if (mayReserve(LIMIT_BYTES)) {
            return true;
        }
        streams.add(stream);
        await();
        // The socket may have taken everything since.
        if (!mayReserve(LIMIT_BYTES / 2)) {
            return false;
        }
        streams.remove(stream);
        return true;
    }

    private boolean mayReserve(long limit) {
        if (reserved > 0 || !isBelow(limit) || !takeOrAwait(Protocol.MAX_PART_BYTES)) {
            return false;
        }
        reserved = Protocol.MAX_PART_BYTES;
        return true;
    }

    /// Releases what was reserved for a part and is not needed any more. Shard's thread only.
    void release(Shard shard) {
        reserved = 0;
        boolean others = taken.giveBack(Protocol.MAX_PART_BYTES) && memory.onGivenBack();
        if (bytes() < LIMIT_BYTES / 2 && someWait) {
            someWait = false;
            resumeOwn(shard);
        }
        if (others) {
            memory.resume(shard);
        }
    }

    /// A part has been read: it takes the room that was reserved. Shard's thread only.
    void onRead(int partBytes, Shard shard) {
        taken.add(partBytes + DELIVERY_BYTES);
        reserved = 0;
        if (taken.giveBack(Protocol.MAX_PART_BYTES) && memory.onGivenBack()) {
            memory.resume(shard);
        }
    }

    /// The socket's output has taken a delivery, or it is void. Event loop only.
    ///
    /// @return whether [#resume] is to be called on the shard's thread
    public boolean onTaken(int blockBytes) {
        boolean others = taken.giveBack(blockBytes + DELIVERY_BYTES) && memory.onGivenBack();
        if (bytes() >= LIMIT_BYTES / 2 || !someWait) {
            return others;
        }
        someWait = false;
        return true;
    }

    /// Lets the consumers, browsers and bodies that waited go on, and other connections. Shard's
    /// thread only.
    void resume(Shard shard) {
        resumeOwn(shard);
        memory.resume(shard);
    }

    /// Lets those of this connection go on. Shard's thread only.
    void resumeOwn(Shard shard) {
        Set<PartStream> reading = new LinkedHashSet<>(streams);
        streams.clear();
        reading.forEach(PartStream::proceed);
        Set<Browser> showing = new LinkedHashSet<>(browsers);
        browsers.clear();
        showing.forEach(Browser::resume);
        Set<StoredConsumer> resuming = new LinkedHashSet<>(waiting);
        waiting.clear();
        for (StoredConsumer consumer : resuming) {
            // Another shard may have taken the place of the consumer's.
            if (!consumer.subscription().destination().removed()) {
                shard.resume(consumer);
            }
        }
    }

    /// The same when [FlightMemory] has room: they find out anew what they need. Shard's thread
    /// only.
    void retry(Shard shard) {
        wanted = 0;
        resumeOwn(shard);
    }

    /// A consumer has ended. Shard's thread only.
    void forget(StoredConsumer consumer) {
        waiting.remove(consumer);
        onForgotten();
    }

    /// A browser has ended. Shard's thread only.
    void forget(Browser browser) {
        browsers.remove(browser);
        onForgotten();
    }

    /// Nobody wants the rest of a body. Shard's thread only.
    public void forget(PartStream stream) {
        streams.remove(stream);
        onForgotten();
    }

    /// It may be what wanted more than there is; others find out anew what they need.
    private void onForgotten() {
        wanted = 0;
        if (waiting.isEmpty() && browsers.isEmpty() && streams.isEmpty()) {
            memory.forget(this);
        }
    }

    /// The connection has gone, and what was on its way with it.
    ///
    /// @return whether [#resume] is to be called on the shard's thread
    public boolean close() {
        return taken.close() && memory.onGivenBack();
    }
}
