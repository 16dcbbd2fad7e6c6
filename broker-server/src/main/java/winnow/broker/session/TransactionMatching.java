package winnow.broker.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.Queue;
import winnow.broker.destination.Topic;
import winnow.broker.matching.RefusedException;
import winnow.broker.routing.Audience;
import winnow.broker.routing.DelayedTopics;
import winnow.broker.routing.MatchQueue;
import winnow.broker.routing.MatchResult;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Recipients;
import winnow.broker.storage.StoredReference;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;

/// Finds what is to be stored for whom of the messages of a connection's transactions. Owned by the
/// connection's event loop.
final class TransactionMatching {
    private final SessionContext context;
    private final Output output;
    private final StorageCommands commands;
    private final MatchQueue matches;
    private final Consumer<SessionChannel.Transaction> release;
    private final MessageBlock block = new MessageBlock();

    /// A transaction whose messages are not all matched, null if there is none.
    private @Nullable Found found;

    /// @param release gets a transaction that cannot be matched any more
    TransactionMatching(
            SessionContext context,
            Output output,
            StorageCommands commands,
            MatchQueue matches,
            Consumer<SessionChannel.Transaction> release) {
        this.context = context;
        this.output = output;
        this.commands = commands;
        this.matches = matches;
        this.release = release;
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
        matches.addWithinRead(begun);
    }

    /// The messages of one transaction, and what becomes of those that were looked at.
    private final class Found implements MatchQueue.Series {
        private final int requestId;
        private final SessionChannel.Transaction taken;
        private final boolean later;
        private final Consumer<List<TransactedEffect>> then;
        private final List<TransactedEffect> effects = new ArrayList<>();

        /// True if what was found has been told, or nobody waits for it: that releases the
        /// transaction.
        private boolean told;

        private boolean ended;

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

        private TransactedMessage message() {
            return taken.messages().get(effects.size());
        }

        @Override
        public boolean hasNext() {
            return !ended;
        }

        @Override
        public void next() {
            TransactedMessage message = message();
            message.view(block);
            boolean waits = later || DelayedTopics.waits(block);
            if (message.destination() instanceof Topic topic && message.parts() == null && !waits) {
                matches.match(topic, block, output, Audience.STORED_ONLY, this);
            } else {
                add(unmatched(message));
            }
        }

        @Override
        public void onMatched(MatchResult result) {
            TransactedMessage message = message();
            Topic topic = (Topic) message.destination();
            add(new TransactedEffect(message.block(), topic.stored(), result.headers(), topic));
        }

        private void add(TransactedEffect effect) {
            charge(effect);
            effects.add(effect);
            if (effects.size() == taken.messages().size()) {
                told = true;
                then.accept(effects);
                stop();
            }
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

        private TransactedEffect unmatched(TransactedMessage message) {
            byte[] bytes = message.block();
            PartsPublish parts = message.parts();
            if (parts != null) {
                Topic live = message.destination() instanceof Topic topic ? topic : null;
                return new TransactedEffect(bytes, live, parts);
            }
            StoredReference reference =
                    switch (message.destination()) {
                        case Queue queue -> queue.stored();
                        case Topic topic when later -> context.delayed().prepared(topic);
                        case Topic topic -> context.delayed().reference(topic);
                    };
            MessageHeaders headers = MessageHeaders.of(block, Recipients.NONE, message.maxNameId());
            return new TransactedEffect(bytes, reference, headers, null);
        }

        @Override
        public void onFault(Throwable fault) {
            boolean mine = !told;
            try {
                if (mine) {
                    // Before anything that may close the connection, or tell it once more.
                    told = true;
                    stop();
                    release.accept(taken);
                }
                if (fault instanceof RefusedException refused && mine) {
                    commands.refuse(requestId, refused);
                } else {
                    output.loop().faults().onFault(output, fault);
                }
            } finally {
                stop();
            }
        }

        private void stop() {
            ended = true;
            found = null;
        }
    }

    /// The connection has gone: what is not committed yet never will be.
    void close() {
        Found left = found;
        if (left != null) {
            found = null;
            left.told = true;
            release.accept(left.taken);
        }
    }
}
