package winnow.broker.session;

import java.util.function.Consumer;
import winnow.broker.matching.RefusedException;
import winnow.broker.routing.NamedSubscriptions;
import winnow.broker.shard.HeapCost;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;
import winnow.broker.storage.StoredReference;
import winnow.store.LogException;
import winnow.wire.ErrorCode;

/// One message on its way into the storage and the answer on its way back. Made and answered on the
/// connection's event loop; in between it belongs to the shard's thread.
final class StoredPublish implements Consumer<Shard>, Outcome, PendingPublish {
    private final Producers producers;
    private final ProducerHandle handle;
    private final long number;
    private final int frameBytes;
    private final StoredReference reference;
    private final byte[] block;
    private final MessageHeaders headers;
    private final long heapBytes;
    private final long shardNanos;

    /// Bytes that go beyond the producer's credit, 0 if none do. Event loop.
    private int overdrawnBytes;

    /// See [#bringsAlong].
    private long firstNumber;

    /// Tells if the storage has refused it. Shard's thread.
    private boolean refused;

    /// True if the storage has answered. Event loop.
    private boolean done;

    /// @param number among the messages that are to be confirmed, 0 if it is not
    /// @param frameBytes what comes back as the producer's credit
    /// @param block an own copy
    StoredPublish(
            Producers producers,
            ProducerHandle handle,
            long number,
            int frameBytes,
            StoredReference reference,
            byte[] block,
            MessageHeaders headers) {
        this.producers = producers;
        this.handle = handle;
        this.number = number;
        this.frameBytes = frameBytes;
        this.reference = reference;
        this.block = block;
        this.headers = headers;
        this.shardNanos = reference.appendNanos();
        this.heapBytes =
                HeapCost.PUBLISH + HeapCost.array(block.length) + headers.recipients().heapBytes();
    }

    /// Heap that it takes until the storage has answered.
    long heapBytes() {
        return heapBytes;
    }

    /// Time that the shard's thread will need for it: an estimate.
    long shardNanos() {
        return shardNanos;
    }

    @Override
    public long number() {
        return number;
    }

    ProducerHandle handle() {
        return handle;
    }

    int frameBytes() {
        return frameBytes;
    }

    @Override
    public boolean done() {
        return done;
    }

    /// Takes memory for what goes beyond the producer's credit, until the storage has answered.
    ///
    /// @throws RefusedException if there is none
    void overdraw() {
        if (handle.overdrawn()) {
            if (!producers.credit().overdraw(block.length)) {
                throw new RefusedException(
                        ErrorCode.LIMIT_EXCEEDED,
                        "a message of "
                                + block.length
                                + " bytes, beyond the credit of handle "
                                + handle.number()
                                + ", while many others are on their way to the storage");
            }
            overdrawnBytes = block.length;
        }
    }

    /// Tells which numbers before its own the storage is told of with it.
    ///
    /// @param first the lowest one, 0 if the storage is told of none, not even of its own
    void bringsAlong(long first) {
        firstNumber = first;
    }

    /// On the shard's thread.
    @Override
    public void accept(Shard shard) {
        append(shard);
        if (refused) {
            producers.confirmations().numbers().onTaken(shard, firstNumber, number - 1, false);
        }
    }

    private void append(Shard shard) {
        StoredDestination destination = reference.in(shard);
        if (destination == null) {
            onRefused(
                    ErrorCode.INVALID_DESTINATION,
                    "the temporary destination '" + reference + "' does not exist any more");
            return;
        }
        String overfull = producers.storageOverfull(headers);
        if (overfull != null) {
            onRefused(ErrorCode.LIMIT_EXCEEDED, overfull);
            return;
        }
        reference.append(shard, destination, block, headers, this);
    }

    @Override
    public void onTaken(Shard shard, boolean stored) {
        producers.confirmations().numbers().onTaken(shard, firstNumber, number, stored);
    }

    @Override
    public String owner() {
        return producers.owner();
    }

    @Override
    public boolean seesSubscriptions() {
        return producers.identity().seesAll();
    }

    @Override
    public void onDone() {
        producers.tell(this::finish);
    }

    /// Says nothing of its outcome if another owner has the log, who may have the message: the
    /// client, whose connection ends now, asks that one by sending it again.
    @Override
    public void onFailed(LogException failure) {
        if (failure.reason() == LogException.Reason.FENCED) {
            producers.tell(this::settleOverdraft);
            return;
        }
        var refused = NamedSubscriptions.unavailable(failure);
        onRefused(refused.code(), String.valueOf(refused.getMessage()));
    }

    @Override
    public void onRefused(String reason) {
        onRefused(ErrorCode.LIMIT_EXCEEDED, reason);
    }

    private void onRefused(ErrorCode code, String message) {
        refused = true;
        producers.tell(() -> {
            producers.onStorageRefused(this, code, message);
            finish();
        });
    }

    private void finish() {
        done = true;
        settleOverdraft();
        producers.onStored(this);
    }

    private void settleOverdraft() {
        producers.credit().settle(overdrawnBytes);
        overdrawnBytes = 0;
    }
}
