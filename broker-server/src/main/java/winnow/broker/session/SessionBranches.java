package winnow.broker.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import winnow.broker.matching.RefusedException;
import winnow.broker.routing.NamedSubscriptions;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredTransaction;
import winnow.broker.storage.DiskUse;
import winnow.broker.storage.Undoing;
import winnow.store.LogException;
import winnow.wire.BranchEnd;
import winnow.wire.DeliveryRanges;
import winnow.wire.ErrorCode;
import winnow.wire.Xid;
import winnow.wire.frame.Decide;
import winnow.wire.frame.EndBranch;
import winnow.wire.frame.ListPrepared;
import winnow.wire.frame.Prepared;

/// Distributed transactions: what one connection's sessions do for them, and the decisions that
/// come by this connection. Owned by the connection's event loop; they are carried out on the
/// storage's thread.
final class SessionBranches {
    private static final int PART_BYTES = 128;

    private final SessionContext context;
    private final Output output;
    private final StorageCommands commands;
    private final SessionTransactions transactions;

    /// The user whose prepared transactions alone are seen and decided; null for those of all.
    private Supplier<@Nullable String> onlyOf = () -> "";

    /// True if a list is on its way to the client.
    private boolean listing;

    SessionBranches(
            SessionContext context,
            Output output,
            StorageCommands commands,
            SessionTransactions transactions) {
        this.context = context;
        this.output = output;
        this.commands = commands;
        this.transactions = transactions;
    }

    /// The handshake is done.
    void identify(Supplier<@Nullable String> newOnlyOf) {
        onlyOf = newOnlyOf;
    }

    /// Deliveries that a session has received for a branch.
    private record Part(SessionChannel session, DeliveryRanges deliveries) {}

    /// Ends the work of a branch.
    ///
    /// @param sessions finds those of the connection
    /// @throws RefusedException if it names a session that does not exist, or something that was
    ///   published for it was refused
    void end(EndBranch end, IntFunction<SessionChannel> sessions) {
        List<Part> parts = new ArrayList<>();
        for (EndBranch.Part part : end.parts()) {
            parts.add(new Part(sessions.apply(part.session()), part.deliveries()));
        }
        SessionChannel publishing = end.publishing() == 0 ? null : sessions.apply(end.publishing());
        switch (end.end()) {
            case ROLL_BACK -> rollBack(end.requestId(), publishing, parts);
            case PREPARE, COMMIT -> complete(end, publishing, parts);
        }
    }

    private void rollBack(int requestId, @Nullable SessionChannel publishing, List<Part> parts) {
        if (publishing != null) {
            transactions.forget(publishing);
        }
        commands.execute(
                bytes(parts),
                shard -> {
                    parts.forEach(part -> part.session.stored().giveBack(part.deliveries));
                    commands.reply(() -> commands.accept(requestId));
                });
    }

    private static int bytes(List<Part> parts) {
        int bytes = 0;
        for (Part part : parts) {
            bytes += PART_BYTES + part.deliveries.bytes();
        }
        return bytes;
    }

    private void complete(EndBranch end, @Nullable SessionChannel publishing, List<Part> parts) {
        boolean atOnce = end.end() == BranchEnd.COMMIT;
        SessionChannel.Transaction taken =
                publishing == null
                        ? SessionChannel.Transaction.none()
                        : transactions.take(publishing);
        transactions.find(
                end.requestId(), taken, !atOnce, effects -> complete(end, parts, taken, effects));
    }

    private void complete(
            EndBranch end,
            List<Part> parts,
            SessionChannel.Transaction taken,
            List<TransactedEffect> effects) {
        Outcome outcome =
                transactions.outcome(end.requestId(), taken, effects, ErrorCode.ROLLED_BACK);
        transactions.submit(
                bytes(parts),
                shard -> {
                    if (end.end() != BranchEnd.COMMIT
                            && shard.transactions().isPrepared(end.xid())) {
                        transactions
                                .outcome(
                                        end.requestId(),
                                        taken,
                                        effects,
                                        ErrorCode.DUPLICATE_TRANSACTION)
                                .onRefused("transaction " + end.xid() + " is prepared already");
                    } else {
                        complete(shard, end, parts, effects, outcome);
                    }
                });
    }

    /// On the storage's thread.
    private void complete(
            Shard shard,
            EndBranch end,
            List<Part> parts,
            List<TransactedEffect> effects,
            Outcome outcome) {
        boolean consumes = parts.stream().anyMatch(part -> !part.deliveries.isEmpty());
        DiskUse use = consumes ? DiskUse.WITH_CONSUMED : DiskUse.MESSAGE;
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
        if (!parts.stream().allMatch(part -> part.session.stored().isOf(shard))) {
            outcome.onFailed(
                    new LogException(
                            LogException.Reason.CLOSED, "it was opened again after a failure"));
            return;
        }
        List<Runnable> undo = new ArrayList<>();
        parts.forEach(part -> undo.add(part.session.stored().join(transaction, part.deliveries)));
        Outcome undoing = new Undoing(undo, outcome);
        if (end.end() == BranchEnd.COMMIT) {
            shard.transactions().commit(transaction, "", undoing);
        } else {
            shard.transactions().prepare(end.xid(), transaction, undoing);
        }
    }

    /// Commits a prepared transaction, or rolls it back. One of another user does not exist for
    /// those who may not decide it.
    void decide(Decide decision) {
        int requestId = decision.requestId();
        Outcome outcome = commands.answering(requestId);
        RefusedException refusal =
                new RefusedException(
                        ErrorCode.UNKNOWN_TRANSACTION,
                        "transaction " + decision.xid() + " is not prepared");
        Runnable unknown = () -> commands.reply(() -> commands.refuse(requestId, refusal));
        String only = onlyOf.get();
        commands.execute(shard -> {
            if (only != null && !shard.transactions().isOf(decision.xid(), only)) {
                // As if it were not there, and in the same time.
                shard.transactions().whenDurable(unknown, outcome::onFailed);
            } else if (decision.commit()) {
                context.delayed().commit(shard, decision.xid(), outcome, unknown);
            } else {
                shard.transactions().rollback(decision.xid(), outcome, unknown);
            }
        });
    }

    /// Lists prepared transactions, those of others for those who may decide them.
    ///
    /// @throws RefusedException if the client has not got the list before
    void list(ListPrepared request) {
        if (listing) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "expected ListPrepared when the one before has been answered");
        }
        listing = true;
        String only = onlyOf.get();
        commands.execute(shard ->
                shard.transactions()
                        .list(
                                request.after(),
                                Prepared.MAX_COUNT + 1,
                                owner -> only == null || only.equals(owner),
                                found -> answer(request, found),
                                failure -> refuse(request, failure)));
    }

    private void answer(ListPrepared request, List<Xid> found) {
        boolean more = found.size() > Prepared.MAX_COUNT;
        Prepared answer =
                new Prepared(
                        request.requestId(),
                        more,
                        more ? found.subList(0, Prepared.MAX_COUNT) : found);
        commands.reply(() -> {
            listing = false;
            output.write(answer);
            commands.accept(request.requestId());
        });
    }

    private void refuse(ListPrepared request, LogException failure) {
        commands.reply(() -> {
            listing = false;
            commands.refuse(request.requestId(), NamedSubscriptions.unavailable(failure));
        });
    }
}
