package winnow.broker.session;

import org.jspecify.annotations.Nullable;
import winnow.broker.destination.Topic;
import winnow.broker.matching.RefusedException;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;
import winnow.broker.shard.StoredTransaction;
import winnow.broker.storage.StoredReference;
import winnow.broker.subscription.LiveBody;
import winnow.wire.ErrorCode;

/// Effect of committing or preparing a message. Immutable.
final class TransactedEffect {
    private final byte[] block;
    private final @Nullable StoredReference reference;
    private final @Nullable MessageHeaders stored;
    private final @Nullable Topic live;

    /// Parts of a message that is not whole in memory, which are stored already.
    private final @Nullable PartsPublish parts;

    /// @param stored null if it is to be stored for nobody
    /// @param live the topic whose live subscriptions get it, null if there is none
    TransactedEffect(
            byte[] block,
            StoredReference reference,
            @Nullable MessageHeaders stored,
            @Nullable Topic live) {
        this.block = block;
        this.reference = reference;
        this.stored = stored;
        this.live = live;
        this.parts = null;
    }

    /// @param head the message block up to the body
    /// @param live as above
    /// @param parts of a message that is not whole in memory
    TransactedEffect(byte[] head, @Nullable Topic live, PartsPublish parts) {
        this.block = head;
        this.reference = null;
        this.stored = null;
        this.live = live;
        this.parts = parts;
    }

    /// The message block, or what comes before a body in parts; not to be changed.
    byte[] block() {
        return block;
    }

    /// Its body if that is in parts and live subscriptions get it, null if not.
    @Nullable LiveBody body() {
        return parts == null ? null : parts.live();
    }

    /// Bytes of heap that its recipients take.
    long recipientBytes() {
        return stored == null ? 0 : stored.recipients().heapBytes();
    }

    /// The topic whose live subscriptions get it, null if there is none.
    @Nullable Topic live() {
        return live;
    }

    /// Adds what is to be stored: nothing if it is for a temporary destination that has ended. On
    /// the storage's thread.
    ///
    /// @return why it cannot, null if it can
    @Nullable RefusedException addTo(StoredTransaction transaction, Shard shard) {
        if (parts != null) {
            RefusedException refused = parts.complete(shard, transaction);
            boolean gone = refused != null && refused.code() == ErrorCode.INVALID_DESTINATION;
            return gone ? null : refused;
        }
        StoredDestination to = stored == null || reference == null ? null : reference.in(shard);
        if (to != null && stored != null) {
            transaction.send(to, block, stored);
        }
        return null;
    }
}
