package winnow.broker.session;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.NamedSubscriptions;
import winnow.broker.destination.RefusedException;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;
import winnow.broker.shard.StoredTransaction;
import winnow.broker.shard.Upload;
import winnow.broker.storage.StoredReference;
import winnow.store.LogException;
import winnow.wire.ErrorCode;

/// What the storage does with one message in parts: it takes part after part, then the message as a
/// whole. Everything here belongs to the shard's thread.
final class PartsPublish {
    private final Answers answers;
    private @Nullable Upload upload;
    private @Nullable RefusedException refused;

    /// Runs what is told to the connection on its event loop.
    interface Answers {
        /// The first frame has been seen, or a part is written or has been passed over.
        void onPart(int frameBytes);

        /// The message is refused; its parts have been deleted. Called once.
        void onRefused(RefusedException why);

        /// Whose share the message takes.
        String owner();

        /// Why the storage can take nothing, null if it can.
        @Nullable String overfull();
    }

    PartsPublish(Answers answers) {
        this.answers = answers;
    }

    /// Calls back about one step.
    private final class Step implements Outcome {
        private final Runnable done;
        private final Runnable ended;

        /// @param ended called in any case, after all others
        Step(Runnable done, Runnable ended) {
            this.done = done;
            this.ended = ended;
        }

        @Override
        public String owner() {
            return answers.owner();
        }

        @Override
        public void onDone() {
            done.run();
            ended.run();
        }

        @Override
        public void onFailed(LogException failure) {
            refuse(NamedSubscriptions.unavailable(failure));
            ended.run();
        }

        @Override
        public void onRefused(String reason) {
            refuse(new RefusedException(ErrorCode.LIMIT_EXCEEDED, reason));
            ended.run();
        }
    }

    private void refuse(RefusedException why) {
        if (refused == null) {
            refused = why;
            if (upload != null) {
                upload.cancel();
            }
            answers.onRefused(why);
        }
    }

    /// @param head the message block up to the body, an own copy
    /// @param frameBytes what comes back as the producer's credit
    void begin(
            Shard shard,
            StoredReference reference,
            byte[] head,
            MessageHeaders headers,
            int frameBytes) {
        begin(shard, reference, head, headers);
        answers.onPart(frameBytes);
    }

    private void begin(
            Shard shard, StoredReference reference, byte[] head, MessageHeaders headers) {
        StoredDestination destination = reference.in(shard);
        if (destination == null) {
            refuse(
                    new RefusedException(
                            ErrorCode.INVALID_DESTINATION,
                            "the temporary destination '" + reference + "' does not exist"));
            return;
        }
        if (mayGoOn(shard)) {
            Outcome failed = new Step(() -> {}, () -> {});
            upload = shard.bodies().begin(destination, head, headers, failed);
        }
    }

    /// Refuses the message if the storage can take no more of it.
    private boolean mayGoOn(Shard shard) {
        if (upload != null && !upload.isOf(shard)) {
            refuse(
                    new RefusedException(
                            ErrorCode.STORE_UNAVAILABLE,
                            "the broker's store was opened again after a failure"));
            return false;
        }
        String overfull = answers.overfull();
        if (overfull != null) {
            refuse(new RefusedException(ErrorCode.LIMIT_EXCEEDED, overfull));
        }
        return refused == null;
    }

    /// @param part an own copy
    /// @param frameBytes what comes back as the producer's credit
    void add(Shard shard, byte[] part, int frameBytes) {
        Runnable ended = () -> answers.onPart(frameBytes);
        if (refused != null || !mayGoOn(shard) || upload == null) {
            ended.run();
        } else {
            upload.add(part, new Step(() -> {}, ended));
        }
    }

    /// All parts have come.
    ///
    /// @param answered told whether it was refused, which is null if it was not
    void complete(Shard shard, Consumer<@Nullable RefusedException> answered) {
        Runnable ended = () -> answered.accept(refused);
        if (refused != null || !mayGoOn(shard) || upload == null) {
            ended.run();
        } else {
            upload.complete(new Step(() -> {}, ended));
        }
    }

    /// The message, whose parts have all come, becomes part of a transaction that is committed.
    ///
    /// @return why it cannot, null if it can
    @Nullable RefusedException complete(Shard shard, StoredTransaction transaction) {
        if (refused == null && mayGoOn(shard) && upload != null) {
            upload.complete(transaction);
        }
        return refused;
    }

    /// Forgets the parts, unless the message has been completed.
    void cancel(Shard shard) {
        if (upload != null && upload.isOf(shard)) {
            upload.cancel();
        }
    }
}
