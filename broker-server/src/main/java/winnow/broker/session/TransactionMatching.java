package winnow.broker.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.DelayedTopics;
import winnow.broker.destination.LongMatch;
import winnow.broker.destination.OrderedMatches;
import winnow.broker.destination.Queue;
import winnow.broker.destination.RefusedException;
import winnow.broker.destination.Topic;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Recipients;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;

/// Finds what is to be stored for whom of the messages of a connection's transactions. Owned by the
/// connection's event loop.
final class TransactionMatching {
    private final SessionContext context;
    private final Output output;
    private final StorageCommands commands;
    private final ReadingPauses pauses;
    private final OrderedMatches finding;
    private final Consumer<SessionChannel.Transaction> release;
    private final MessageBlock block = new MessageBlock();

    /// A transaction whose messages are not all matched: nothing more is read before that. Written
    /// by the loop.
    private volatile @Nullable Found found;

    /// @param finding used for nothing else
    /// @param release gets a transaction that cannot be matched any more
    TransactionMatching(
            SessionContext context,
            Output output,
            StorageCommands commands,
            ReadingPauses pauses,
            OrderedMatches finding,
            Consumer<SessionChannel.Transaction> release) {
        this.context = context;
        this.output = output;
        this.commands = commands;
        this.pauses = pauses;
        this.finding = finding;
        this.release = release;
    }

    /// Whether there is a transaction whose messages are not all matched. Any thread.
    boolean isMatching() {
        return found != null;
    }

    /// Finds what becomes of the messages of a transaction. Nothing more is read before that.
    ///
    /// @param requestId of the request that is refused if that cannot be found
    /// @param taken released then
    /// @param later whether it is decided later, so that messages to topics have to wait
    /// @param then gets what was found
    void find(
            int requestId,
            SessionChannel.Transaction taken,
            boolean later,
            Consumer<List<TransactedEffect>> then) {
        if (taken.messages().isEmpty()) {
            then.accept(List.of());
            return;
        }
        Found begun = new Found(requestId, taken, later, then);
        found = begun;
        finding.addWithinRead(begun);
        if (begun.isCurrent()) {
            begun.paused = true;
            pauses.begin(ReadingPauses.Reason.TRANSACTION);
        }
    }

    /// The messages of one transaction, and what becomes of those that were looked at.
    private final class Found implements OrderedMatches.Messages {
        private final int requestId;
        private final SessionChannel.Transaction taken;
        private final boolean later;
        private final Consumer<List<TransactedEffect>> then;
        private final List<TransactedEffect> effects = new ArrayList<>();

        /// Whether the connection is not read.
        boolean paused;

        /// Whether it was decided to match the present message now, not later.
        private boolean matched;

        /// Whether what was found has been told: it is released by that.
        private boolean told;

        Found(
                int requestId,
                SessionChannel.Transaction taken,
                boolean later,
                Consumer<List<TransactedEffect>> then) {
            this.requestId = requestId;
            this.taken = taken;
            this.later = later;
            this.then = then;
        }

        private TransactedMessage next() {
            return taken.messages().get(effects.size());
        }

        @Override
        public @Nullable LongMatch begin() {
            TransactedMessage message = next();
            message.view(block);
            matched = message.parts() == null && !later && !DelayedTopics.waits(block);
            return message.destination() instanceof Topic topic && matched
                    ? output.loop().router().beginStored(topic, block, output)
                    : null;
        }

        @Override
        public boolean end(@Nullable LongMatch match) {
            TransactedEffect effect = effect(next(), match);
            charge(effect);
            effects.add(effect);
            if (effects.size() < taken.messages().size()) {
                return true;
            }
            told = true;
            then.accept(effects);
            stop();
            return false;
        }

        /// Nobody knows before how many recipients there are.
        private void charge(TransactedEffect effect) {
            long bytes = effect.recipientBytes();
            if (bytes > 0) {
                long max = context.config().maxTransactionBytes().bytes();
                try {
                    taken.charge(context.transactions(), bytes, max);
                } catch (RefusedException e) {
                    throw new RefusedException(
                            ErrorCode.ROLLED_BACK, String.valueOf(e.getMessage()));
                }
            }
        }

        private TransactedEffect effect(TransactedMessage message, @Nullable LongMatch match) {
            byte[] bytes = message.block();
            int maxNameId = message.maxNameId();
            PartsPublish parts = message.parts();
            if (parts != null) {
                Topic live = message.destination() instanceof Topic topic ? topic : null;
                return new TransactedEffect(bytes, live, parts);
            }
            if (match != null) {
                return new TransactedEffect(
                        bytes, match.topic().stored(), match.headers(), match.topic());
            }
            MessageHeaders all = MessageHeaders.of(block, Recipients.NONE, maxNameId);
            return switch (message.destination()) {
                case Queue queue -> new TransactedEffect(bytes, queue.stored(), all, null);
                case Topic topic when later ->
                        new TransactedEffect(bytes, context.delayed().prepared(topic), all, null);
                case Topic topic when !matched ->
                        new TransactedEffect(bytes, context.delayed().reference(topic), all, null);
                case Topic topic -> {
                    Recipients wanting = output.loop().router().recipients(topic);
                    MessageHeaders stored =
                            wanting == null ? null : MessageHeaders.of(block, wanting, maxNameId);
                    yield new TransactedEffect(bytes, topic.stored(), stored, topic);
                }
            };
        }

        @Override
        public void onFailed(Throwable cause) {
            try {
                if (!told) {
                    release.accept(taken);
                }
                if (cause instanceof RefusedException refused && !told) {
                    commands.refuse(requestId, refused);
                } else {
                    output.loop().faults().onFault(output, cause);
                }
            } finally {
                stop();
            }
        }

        private void stop() {
            if (isCurrent()) {
                found = null;
            }
            if (paused) {
                paused = false;
                pauses.end(ReadingPauses.Reason.TRANSACTION);
            }
        }

        @SuppressWarnings("ReferenceEquality") // They are equal by identity.
        private boolean isCurrent() {
            return found == this;
        }
    }

    /// The connection has gone: what is not committed yet never will be.
    void close() {
        Found left = found;
        if (left != null) {
            found = null;
            finding.abandon();
            release.accept(left.taken);
        }
    }
}
