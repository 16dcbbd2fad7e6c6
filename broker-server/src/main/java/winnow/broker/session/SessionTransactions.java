package winnow.broker.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import winnow.broker.destination.DelayedTopics;
import winnow.broker.destination.Destination;
import winnow.broker.destination.Queue;
import winnow.broker.destination.RefusedException;
import winnow.broker.destination.Router;
import winnow.broker.destination.Topic;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Recipients;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredTransaction;
import winnow.wire.Commit;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;

/// The transactions of one connection's sessions: what they publish takes effect together with what
/// they acknowledge. Owned by the connection's event loop; they are carried out on the storage's
/// thread.
final class SessionTransactions {
    private final SessionContext context;
    private final Output output;
    private final StorageCommands commands;
    private final Runnable touched;
    private final MessageBlock block = new MessageBlock();

    /// @param touched called when something was routed outside of a read
    SessionTransactions(
            SessionContext context, Output output, StorageCommands commands, Runnable touched) {
        this.context = context;
        this.output = output;
        this.commands = commands;
        this.touched = touched;
    }

    /// A message becomes part of the transaction of a session.
    ///
    /// @param published checked and copied
    /// @throws RefusedException if it cannot; then nothing of the transaction can be committed
    void publish(SessionChannel session, Destination destination, MessageBlock published) {
        requireTransacted(session);
        try {
            Router router = output.loop().router();
            router.check(published, context.destinations().maxStringBytes());
            session.charge(published.length(), context.config().maxTransactionBytes().bytes());
            Destination referred =
                    context.destinations().acquire(destination.kind(), destination.name());
            byte[] copy = Arrays.copyOfRange(published.array(), published.start(), published.end());
            session.add(new TransactedMessage(referred, copy, router.maxNameId(), null));
        } catch (RefusedException e) {
            session.refuse(e);
            throw e;
        }
    }

    /// @throws RefusedException if nothing can be published in the session
    void requireTransacted(SessionChannel session) {
        if (!session.transacted()) {
            throw notTransacted(session, ErrorCode.UNKNOWN_SESSION);
        }
    }

    /// A message in parts becomes part of the transaction of a session. Its parts are in the log,
    /// so that only its headers take memory.
    ///
    /// @param head the message block up to the body, which has been checked
    /// @throws RefusedException if it cannot; then nothing of the transaction can be committed
    void publishInParts(
            SessionChannel session,
            Destination destination,
            byte[] head,
            int maxNameId,
            PartsPublish parts) {
        try {
            session.charge(head.length, context.config().maxTransactionBytes().bytes());
            Destination referred =
                    context.destinations().acquire(destination.kind(), destination.name());
            session.add(new TransactedMessage(referred, head, maxNameId, parts));
        } catch (RefusedException e) {
            session.refuse(e);
            throw e;
        }
    }

    private static RefusedException notTransacted(SessionChannel session, ErrorCode code) {
        return new RefusedException(code, "session " + session.number() + " is not transacted");
    }

    /// Forgets what a session has not committed.
    void forget(SessionChannel session) {
        release(session.take());
    }

    /// Gives the destinations and the memory of a transaction back. The storage needs the headers
    /// of messages in parts until it has forgotten the parts.
    void release(SessionChannel.Transaction transaction) {
        List<PartsPublish> inParts = new ArrayList<>();
        for (TransactedMessage message : transaction.messages()) {
            context.destinations().release(message.destination());
            PartsPublish parts = message.parts();
            if (parts != null) {
                inParts.add(parts);
            }
        }
        if (inParts.isEmpty()) {
            context.transactions().giveBack(transaction.bytes());
            return;
        }
        commands.execute(shard -> {
            try {
                // Nothing happens to those that have been committed.
                inParts.forEach(parts -> parts.cancel(shard));
            } finally {
                context.transactions().giveBack(transaction.bytes());
            }
        });
    }

    /// Takes the transaction of a session, which begins the next one.
    ///
    /// @return to be released when it has taken effect or has been refused
    /// @throws RefusedException if it cannot be committed; then it is forgotten
    SessionChannel.Transaction take(SessionChannel session) {
        if (!session.transacted()) {
            throw notTransacted(session, ErrorCode.ROLLED_BACK);
        }
        RefusedException refusal = session.refusal();
        SessionChannel.Transaction taken = session.take();
        if (refusal != null) {
            release(taken);
            throw new RefusedException(
                    ErrorCode.ROLLED_BACK,
                    "a message of the transaction was refused: " + refusal.getMessage());
        }
        return taken;
    }

    /// Commits the transaction of a session, which begins the next one. The memory of what it
    /// publishes is given back when it has taken effect or has been refused.
    ///
    /// @throws RefusedException if it cannot be committed; then nothing of it takes effect
    void commit(SessionChannel session, Commit commit) {
        SessionChannel.Transaction taken = take(session);
        List<TransactedEffect> effects = effects(taken, false);
        Outcome outcome =
                commands.answering(
                        commit.requestId(),
                        () -> deliverLive(effects),
                        () -> release(taken),
                        ErrorCode.ROLLED_BACK);
        commands.execute(
                commit.deliveries().bytes(),
                shard -> commit(shard, session, commit, effects, outcome));
    }

    /// On the storage's thread.
    private void commit(
            Shard shard,
            SessionChannel session,
            Commit commit,
            List<TransactedEffect> effects,
            Outcome outcome) {
        String overfull = effects.isEmpty() ? null : context.storage().overfull();
        if (overfull != null) {
            outcome.onRefused(overfull);
            return;
        }
        StoredTransaction transaction = new StoredTransaction();
        for (TransactedEffect effect : effects) {
            RefusedException refused = effect.addTo(transaction, shard);
            if (refused != null) {
                outcome.onRefused(String.valueOf(refused.getMessage()));
                return;
            }
        }
        session.stored().commit(transaction, commit.transaction(), commit.deliveries(), outcome);
    }

    /// What becomes of the messages of a transaction.
    ///
    /// @param later whether that is decided later, so that messages to topics have to wait
    List<TransactedEffect> effects(SessionChannel.Transaction taken, boolean later) {
        return taken.messages().stream().map(message -> effect(message, later)).toList();
    }

    private TransactedEffect effect(TransactedMessage message, boolean later) {
        byte[] bytes = message.block();
        int maxNameId = message.maxNameId();
        block.parseFields(bytes, 0, bytes.length);
        MessageHeaders all = MessageHeaders.of(block, Recipients.NONE, maxNameId);
        PartsPublish parts = message.parts();
        if (parts != null) {
            return new TransactedEffect(parts);
        }
        return switch (message.destination()) {
            case Queue queue -> new TransactedEffect(bytes, queue.stored(), all, null);
            case Topic topic when later ->
                    new TransactedEffect(bytes, context.delayed().prepared(topic), all, null);
            case Topic topic when DelayedTopics.waits(block) ->
                    new TransactedEffect(bytes, context.delayed().reference(topic), all, null);
            case Topic topic -> {
                Recipients found = output.loop().router().matchStored(topic, block, output);
                MessageHeaders stored =
                        found == null ? null : MessageHeaders.of(block, found, maxNameId);
                yield new TransactedEffect(bytes, topic.stored(), stored, topic);
            }
        };
    }

    /// Gives what was committed to live subscriptions.
    void deliverLive(List<TransactedEffect> committed) {
        Router router = output.loop().router();
        for (TransactedEffect effect : committed) {
            Topic live = effect.live();
            if (live != null) {
                block.parseFields(effect.block(), 0, effect.block().length);
                router.route(live, block, output);
                router.deliver();
            }
        }
        touched.run();
    }
}
