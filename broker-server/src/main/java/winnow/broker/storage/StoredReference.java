package winnow.broker.storage;

import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;
import winnow.wire.DestinationKind;
import winnow.wire.Protocol;

/// A queue, or a topic with stored subscriptions, by its name; what it stands for is looked up on
/// the shard's thread, and made there if it is not there.
public final class StoredReference {
    /// Number of subscriptions from which the time of a message is measured.
    private static final int MANY = 32;

    /// Weight of the newest message in the mean: one eighth.
    private static final int NEWEST_PART = 8;

    /// The longest that counts: the thread may have been interrupted.
    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final DestinationKind kind;
    private final String name;
    private final BiConsumer<Shard, StoredDestination> onFound;

    /// Owned by the shard's thread.
    private @Nullable StoredDestination found;

    /// Written by the shard's thread.
    private volatile long appendNanos;

    public StoredReference(DestinationKind kind, String name) {
        this(kind, name, (shard, destination) -> {});
    }

    /// @param onFound called on the shard's thread when it has been found or made
    public StoredReference(
            DestinationKind kind, String name, BiConsumer<Shard, StoredDestination> onFound) {
        this.kind = kind;
        this.name = name;
        this.onFound = onFound;
    }

    /// Destination that it stands for now. Shard's thread only.
    ///
    /// @return null if it is a temporary queue that does not exist any more
    public @Nullable StoredDestination in(Shard shard) {
        StoredDestination known = found;
        if (known == null || known.removed()) {
            known = find(shard);
            found = known;
            if (known != null) {
                onFound.accept(shard, known);
            }
        }
        return known;
    }

    /// Mean time that the shard's thread has needed for a message of late; 0 where that is short.
    /// Any thread.
    public long appendNanos() {
        return appendNanos;
    }

    /// Appends a message. Shard's thread only.
    ///
    /// @param destination what it stands for
    /// @see Shard#append
    public void append(
            Shard shard,
            StoredDestination destination,
            byte[] block,
            MessageHeaders headers,
            Outcome outcome) {
        if (destination.subscriptionCount() < MANY) {
            if (appendNanos != 0) {
                appendNanos = 0;
            }
            shard.append(destination, block, headers, outcome);
            return;
        }
        long begin = System.nanoTime();
        shard.append(destination, block, headers, outcome);
        long took = Math.min(System.nanoTime() - begin, MAX_NANOS);
        long before = appendNanos;
        appendNanos = before == 0 ? took : before + (took - before) / NEWEST_PART;
    }

    private @Nullable StoredDestination find(Shard shard) {
        if (kind == DestinationKind.TOPIC) {
            return shard.topic(name);
        }
        return name.startsWith(Protocol.TEMPORARY_PREFIX)
                ? shard.catalog().findQueue(name).orElse(null)
                : shard.queue(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
