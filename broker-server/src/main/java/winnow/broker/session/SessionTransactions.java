package winnow.broker.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import winnow.broker.destination.Destination;
import winnow.broker.matching.RefusedException;
import winnow.broker.routing.MatchQueue;
import winnow.broker.routing.MatchResult;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredTransaction;
import winnow.broker.shard.Transactions;
import winnow.broker.storage.DiskUse;
import winnow.wire.ErrorCode;
import winnow.wire.MessageBlock;
import winnow.wire.frame.AskCommit;
import winnow.wire.frame.Commit;

/// The transactions of one connection's sessions: what they publish takes effect together with what
/// they acknowledge. Owned by the connection's event loop; they are carried out on the storage's
/// thread.
final class SessionTransactions {
    private final SessionContext context;
    private final Output output;
    private final StorageCommands commands;
    private final TransactionMatching matching;
    private final CommittedMessages committed;

    /// @param touched called when something was routed outside of a read
    SessionTransactions(
            SessionContext context,
            Output output,
            StorageCommands commands,
            MatchQueue matches,
            Runnable touched) {
        this.context = context;
        this.output = output;
        this.commands = commands;
        this.matching = new TransactionMatching(context, output, commands, matches, this::release);
        MatchQueue delivering =
                new MatchQueue(
                        context.destinations().work(output.loop()),
                        output.loop().router(),
                        output,
                        MatchQueue.Reading.NONE);
        this.committed = new CommittedMessages(output, delivering, touched);
    }

    /// A message becomes part of the transaction of a session.
    ///
    /// @param published checked and copied
    /// @throws RefusedException if it cannot; then nothing of the transaction can be committed,
    ///   unless it is for a temporary destination that has ended
    void publish(SessionChannel session, Destination destination, MessageBlock published) {
        requireTransacted(session);
        try {
            MatchResult checked =
                    output.loop()
                            .router()
                            .check(published, context.destinations().propertyLimits());
            int maxNameId = checked.maxNameId();
            Destination referred = join(session, destination, published.length());
            byte[] copy = Arrays.copyOfRange(published.array(), published.start(), published.end());
            session.add(
                    new TransactedMessage(
                            referred, copy, maxNameId, null, published.expiresEarlierMillis()));
        } catch (RefusedException e) {
            refuse(session, destination, e);
            throw e;
        }
    }

    /// The destination of a message that becomes part of a transaction, with one reference more.
    ///
    /// @throws RefusedException if there is no memory for it, or the destination cannot be used
    private Destination join(SessionChannel session, Destination destination, int bytes) {
        Destination referred =
                context.destinations().acquire(destination.kind(), destination.name());
        try {
            session.charge(bytes, context.config().maxTransactionBytes().bytes());
            return referred;
        } catch (RefusedException e) {
            context.destinations().release(referred);
            throw e;
        }
    }

    /// A message was refused. What else the transaction does must not take effect without it,
    /// unless nobody can receive it: who asked for a reply may go at any time.
    void refuse(SessionChannel session, Destination destination, RefusedException why) {
        if (!context.destinations().temporaries().isGone(destination.kind(), destination.name())) {
            session.refuse(why);
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
    /// @throws RefusedException as [#publish]
    void publishInParts(
            SessionChannel session,
            Destination destination,
            byte[] head,
            int maxNameId,
            PartsPublish parts) {
        try {
            Destination referred = join(session, destination, head.length);
            session.add(new TransactedMessage(referred, head, maxNameId, parts, 0));
        } catch (RefusedException e) {
            refuse(session, destination, e);
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
            transaction.release(context.transactions());
            return;
        }
        commands.execute(shard -> {
            try {
                // Nothing happens to those that have been committed.
                inParts.forEach(parts -> parts.letGo(shard));
            } finally {
                transaction.release(context.transactions());
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
        find(
                commit.requestId(),
                taken,
                false,
                effects -> {
                    Outcome outcome =
                            outcome(commit.requestId(), taken, effects, ErrorCode.ROLLED_BACK);
                    submit(
                            commit.deliveries().bytes(),
                            shard -> commit(shard, session, commit, effects, outcome));
                });
    }

    /// Gives a transaction to the storage.
    ///
    /// @param bytes see [StorageCommands#execute]
    /// @param command makes one [#outcome] be told
    void submit(int bytes, Consumer<Shard> command) {
        context.connections().onCommitting();
        commands.execute(bytes, command);
    }

    /// Outcome of a transaction that goes to the storage.
    ///
    /// @param taken released in the end
    /// @param refusal the code by which a limit is answered
    Outcome outcome(
            int requestId,
            SessionChannel.Transaction taken,
            List<TransactedEffect> effects,
            ErrorCode refusal) {
        return commands.answering(
                requestId,
                answer -> committed.deliver(effects, answer),
                () -> {
                    context.connections().onCommitted();
                    release(taken);
                },
                refusal);
    }

    /// On the storage's thread.
    private void commit(
            Shard shard,
            SessionChannel session,
            Commit commit,
            List<TransactedEffect> effects,
            Outcome outcome) {
        DiskUse use = commit.deliveries().isEmpty() ? DiskUse.MESSAGE : DiskUse.WITH_CONSUMED;
        String overfull =
                effects.isEmpty() ? null : context.storage().overfull(use, outcome.owner());
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

    /// Answers whether a transaction of an earlier connection was committed, when that is durable.
    /// That connection has ended: what it had begun to commit has come to the storage before.
    void ask(AskCommit ask) {
        commands.execute(
                2 * ask.transaction().length(),
                shard -> {
                    Outcome answer = commands.answering(ask.requestId());
                    Transactions known = shard.transactions();
                    if (known.committed(ask.transaction())) {
                        shard.sync(answer);
                    } else {
                        boolean forgotten = known.mayHaveForgotten(answer.owner(), ask.ageMillis());
                        commands.reply(
                                () -> commands.refuse(ask.requestId(), notCommitted(forgotten)));
                    }
                });
    }

    private static RefusedException notCommitted(boolean forgotten) {
        return forgotten
                ? new RefusedException(
                        ErrorCode.IN_DOUBT,
                        "the transaction is not known, and younger ones have been forgotten")
                : new RefusedException(
                        ErrorCode.UNKNOWN_TRANSACTION, "the transaction was not committed");
    }

    /// Finds what becomes of the messages of a transaction, as [TransactionMatching#find].
    void find(
            int requestId,
            SessionChannel.Transaction taken,
            boolean later,
            Consumer<List<TransactedEffect>> then) {
        matching.find(requestId, taken, later, then);
    }

    /// The connection has gone: what is not committed yet never will be. Live subscriptions get all
    /// that was committed.
    void close() {
        matching.close();
    }
}
