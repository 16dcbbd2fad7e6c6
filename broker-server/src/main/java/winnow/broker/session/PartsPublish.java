package winnow.broker.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.Topic;
import winnow.broker.matching.RefusedException;
import winnow.broker.routing.DelayedTopics;
import winnow.broker.routing.NamedSubscriptions;
import winnow.broker.shard.LargeBodies;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Recipients;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;
import winnow.broker.shard.StoredTransaction;
import winnow.broker.shard.Upload;
import winnow.broker.storage.StoredReference;
import winnow.store.LogException;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;

/// Storage of one message in parts: it takes part after part, then the message as a whole. Live
/// subscriptions read the parts from here. Everything here belongs to the shard's thread.
final class PartsPublish {
    /// Nobody is answered any more: the connection is done with the message, or another owner of
    /// the log may have it.
    private static final Answers NOBODY =
            new Answers() {
                @Override
                public void onPart(int frameBytes) {}

                @Override
                public void onRefused(RefusedException why) {}

                @Override
                public String owner() {
                    return "";
                }

                @Override
                public @Nullable String overfull() {
                    return null;
                }
            };

    private Answers answers;

    /// True if a refusal may name subscriptions.
    private final boolean seesSubscriptions;

    /// For live subscriptions, null if they do not get it.
    private final @Nullable PublishedBody live;

    /// Readers that came before the parts are there.
    private final List<Runnable> readers = new ArrayList<>();

    /// True once the parts can be read, or never will be.
    private boolean settled;

    private @Nullable Upload upload;
    private @Nullable RefusedException refused;

    /// True once another owner has the log, who may have the message: nothing is said of its
    /// outcome, because the client sends it again to that one.
    private boolean fenced;

    /// Runs what is told to the connection on its event loop.
    interface Answers {
        /// The first frame has been seen, or a part is written or has been passed over.
        void onPart(int frameBytes);

        /// The message is refused; its parts have been deleted. Called once.
        void onRefused(RefusedException why);

        /// Owner of the share that the message takes.
        String owner();

        /// Reason why the storage can take nothing, null if it can.
        @Nullable String overfull();
    }

    PartsPublish(Answers answers) {
        this.answers = answers;
        this.seesSubscriptions = false;
        this.live = null;
    }

    /// A message to a topic.
    ///
    /// @param bodyBytes length of its body
    /// @param context has the storage where that waits for live subscriptions
    PartsPublish(Answers answers, int bodyBytes, SessionContext context) {
        this.answers = answers;
        this.seesSubscriptions = context.access().current() == null;
        this.live = new PublishedBody(this, bodyBytes, context);
    }

    /// @throws RefusedException if a message is longer than one can be
    static void check(MessageBlock head, int bodyBytes) {
        long bytes = (long) head.length() + bodyBytes;
        if (head.length() > Protocol.MAX_PART_BYTES || bytes > Integer.MAX_VALUE) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "a message in parts: expected headers of at most "
                            + Protocol.MAX_PART_BYTES
                            + " bytes and at most "
                            + Integer.MAX_VALUE
                            + " bytes in all, found "
                            + head.length()
                            + " and "
                            + bytes);
        }
    }

    /// @throws RefusedException if a message to a topic is to wait for its delivery time
    static void checkTime(Topic topic, MessageBlock head, int maxFrameBytes) {
        if (DelayedTopics.waits(head)) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "a message with a delivery delay for topic '"
                            + topic.name()
                            + "': expected at most "
                            + maxFrameBytes
                            + " bytes (the broker's setting transport.max-frame), found one in"
                            + " parts. Send it without a delay, or to a queue");
        }
    }

    /// Headers of a message.
    static MessageHeaders headers(
            MessageBlock head, int bodyBytes, Recipients recipients, int maxNameId) {
        return new MessageHeaders(
                head.persistent(),
                head.priority(),
                head.expiration(),
                head.deliveryTime(),
                recipients,
                head.length() + bodyBytes,
                maxNameId,
                true);
    }

    /// The body for live subscriptions, with a reference until [#letGo]; null if they do not get
    /// it.
    @Nullable PublishedBody live() {
        return live;
    }

    /// Calls back about one step.
    private final class Step implements Outcome {
        private final String owner = answers.owner();
        private final Consumer<Boolean> taken;
        private final Runnable done;
        private final Runnable ended;

        /// @param ended called in any case, after all others
        Step(Consumer<Boolean> taken, Runnable done, Runnable ended) {
            this.taken = taken;
            this.done = done;
            this.ended = ended;
        }

        @Override
        public void onTaken(Shard shard, boolean stored) {
            taken.accept(stored);
        }

        @Override
        public String owner() {
            return owner;
        }

        @Override
        public boolean seesSubscriptions() {
            return seesSubscriptions;
        }

        @Override
        public void onDone() {
            done.run();
            ended.run();
        }

        @Override
        public void onFailed(LogException failure) {
            if (failure.reason() == LogException.Reason.FENCED) {
                fenced = true;
                answers = NOBODY;
            }
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
            settle();
        }
    }

    private void settle() {
        settled = true;
        List<Runnable> told = List.copyOf(readers);
        readers.clear();
        told.forEach(Runnable::run);
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
            Outcome failed = new Step(_ -> {}, () -> {}, () -> {});
            upload = shard.bodies().begin(destination, head, headers, failed);
            if (upload != null && live != null) {
                upload.keep();
            }
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

    /// @param frameBytes what comes back as the producer's credit
    void add(Shard shard, PartBytes part, int frameBytes) {
        // The answer may come when the connection is done with the message.
        Answers told = answers;
        Runnable ended = () -> told.onPart(frameBytes);
        if (refused != null || !mayGoOn(shard) || upload == null) {
            ended.run();
        } else {
            upload.add(part.array, part.start, part.end, new Step(_ -> {}, () -> {}, ended));
        }
    }

    /// All parts have come.
    ///
    /// @param taken told if it is taken, and whether the log gets it with the present batch
    /// @param answered told whether it was refused, which is null if it was not; not called if
    ///   another owner of the log may have it
    void complete(
            Shard shard, Consumer<Boolean> taken, Consumer<@Nullable RefusedException> answered) {
        Runnable ended =
                () -> {
                    if (!fenced) {
                        answered.accept(refused);
                    }
                };
        if (refused != null || !mayGoOn(shard) || upload == null) {
            ended.run();
        } else {
            upload.complete(new Step(taken, this::settle, ended));
        }
    }

    /// The message, whose parts have all come, becomes part of a transaction that is committed.
    ///
    /// @return why it cannot, null if it can
    @Nullable RefusedException complete(Shard shard, StoredTransaction transaction) {
        if (refused == null && mayGoOn(shard) && upload != null) {
            upload.complete(transaction);
            settle();
        }
        return refused;
    }

    /// Runs when the parts can be read, or never will be.
    void whenReadable(Runnable reader) {
        if (settled) {
            reader.run();
        } else {
            readers.add(reader);
        }
    }

    /// Number of parts, 0 if they are gone.
    int parts(Shard shard) {
        return isReadable(shard) && upload != null ? upload.body().parts() : 0;
    }

    private boolean isReadable(Shard shard) {
        return refused == null && upload != null && upload.isOf(shard) && !upload.ended();
    }

    /// Reads a part.
    ///
    /// @param part its number, from 0
    void read(Shard shard, int part, LargeBodies.PartReceiver receiver) {
        if (isReadable(shard) && upload != null) {
            shard.bodies().read(upload, part, receiver);
        } else {
            receiver.onGone();
        }
    }

    /// Its connection is done with it: forgets the parts, unless the message has been completed, or
    /// as soon as live subscriptions have them.
    void letGo(Shard shard) {
        answers = NOBODY;
        if (live == null) {
            cancel(shard);
        } else {
            live.release();
        }
    }

    /// Forgets the parts, unless the message has been completed.
    void cancel(Shard shard) {
        if (upload != null && upload.isOf(shard)) {
            upload.cancel();
        }
        settle();
    }
}
