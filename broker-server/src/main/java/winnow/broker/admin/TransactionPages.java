package winnow.broker.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.Operator;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.admin.request.RequestAccess;
import winnow.broker.config.NamePattern;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.broker.routing.DelayedTopics;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.PreparedSummary;
import winnow.broker.shard.Shard;
import winnow.broker.transport.HttpServer.Response;
import winnow.wire.Xid;

/// The distributed transactions that are prepared: shown, and decided where their manager does not.
/// Thread-safe.
final class TransactionPages {
    private static final String PATH = AdminApi.ROOT + "transactions";

    /// The shard's thread looks at so many in a millisecond, and does nothing else meanwhile.
    private static final int AT_A_TIME = 1000;

    private final ShardQuestions questions;
    private final DelayedTopics delayed;

    TransactionPages(ShardQuestions questions, DelayedTopics delayed) {
        this.questions = questions;
        this.delayed = delayed;
    }

    /// A prepared transaction.
    record Prepared(String transaction, int sends, int received, long bytes) {
        static Prepared of(PreparedSummary one) {
            return new Prepared(one.xid().toString(), one.sends(), one.received(), one.bytes());
        }
    }

    /// Decision about a transaction.
    record Decided(String transaction, String decision) {}

    void addTo(List<Route> routes) {
        routes.add(
                Route.get(
                                "transactions",
                                "listTransactions",
                                "distributed transactions that are prepared")
                        .pagesOf(Prepared.class)
                        .filteredBy(Permission.DECIDE)
                        .by(this::list));
        routes.add(
                Route.post(
                                "transactions/{transaction}/commit",
                                "commitTransaction",
                                "commits a prepared transaction")
                        .of(Decided.class)
                        .looksUp(Permission.DECIDE)
                        .by(asked -> decide(asked, "commit")));
        routes.add(
                Route.post(
                                "transactions/{transaction}/rollback",
                                "rollbackTransaction",
                                "rolls a prepared transaction back")
                        .of(Decided.class)
                        .looksUp(Permission.DECIDE)
                        .by(asked -> decide(asked, "rollback")));
    }

    private CompletionStage<Response> list(Asked asked) {
        String after = asked.after();
        @Nullable Xid known = after.isEmpty() ? null : Xid.parse(after);
        NamePattern names = asked.names();
        Predicate<PreparedSummary> seen =
                one -> asked.access().decides(one.owner()) && names.fits(one.xid().toString());
        return gather(known, seen, asked.limit() + 1, new ArrayList<>())
                .thenCompose(found ->
                        asked.page(
                                PATH,
                                found,
                                one -> one.transaction().length(),
                                Prepared::transaction));
    }

    /// Asks the shard for some at a time, until there are as many as wanted.
    private CompletionStage<List<Prepared>> gather(
            @Nullable Xid after,
            Predicate<PreparedSummary> seen,
            int count,
            List<Prepared> wanted) {
        return questions
                .ask(shard -> shard.transactions().summaries(after, AT_A_TIME))
                .thenCompose(found -> {
                    found.stream()
                            .filter(seen)
                            .map(Prepared::of)
                            .limit(count - wanted.size())
                            .forEach(wanted::add);
                    return wanted.size() == count || found.size() < AT_A_TIME
                            ? CompletableFuture.completedStage(wanted)
                            : gather(found.getLast().xid(), seen, count, wanted);
                });
    }

    private CompletionStage<Response> decide(Asked asked, String decision) {
        Xid xid = Xid.parse(asked.value("transaction"));
        return questions
                .<Decided>change(
                        asked, 0, (now, shard, answer) -> decide(now, shard, xid, decision, answer))
                .thenCompose(JsonPage::of);
    }

    private void decide(
            Asked asked, Shard shard, Xid xid, String decision, CompletableFuture<Decided> answer) {
        RequestAccess access = asked.access();
        Operator by = asked.by().under(access.line(Permission.DECIDE, ProtectedKind.BROKER, ""));
        String what = "decided prepared transaction " + xid + ": " + decision;
        Outcome outcome =
                ShardQuestions.whenDone(
                        answer, new Decided(xid.toString(), decision), () -> by.did(what));
        Runnable unknown =
                () ->
                        answer.completeExceptionally(
                                new ProblemException(
                                        404, "transaction " + xid + " is not prepared"));
        if (!access.granted().allow(Permission.DECIDE)
                && !shard.transactions().isOf(xid, access.user())) {
            // As if it were not there, and in the same time.
            shard.transactions().whenDurable(unknown, outcome::onFailed);
        } else if (decision.equals("commit")) {
            delayed.commit(shard, xid, outcome, unknown);
        } else {
            shard.transactions().rollback(xid, outcome, unknown);
        }
    }
}
