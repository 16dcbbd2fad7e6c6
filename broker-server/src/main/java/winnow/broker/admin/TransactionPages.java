package winnow.broker.admin;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.DelayedTopics;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.PreparedSummary;
import winnow.broker.shard.Shard;
import winnow.broker.transport.HttpServer.Response;
import winnow.wire.Xid;

/// The distributed transactions that are prepared: shown, and decided where their manager does not.
/// Thread-safe.
final class TransactionPages {
    private static final String PATH = AdminApi.ROOT + "transactions";

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

    /// What has become of one.
    record Decided(String transaction, String decision) {}

    /// @param path behind `transactions`
    /// @throws IllegalArgumentException saying what is wrong with the request
    CompletionStage<Response> answer(
            Operator by, Verb verb, List<String> path, Map<String, List<String>> parameters) {
        if (path.isEmpty()) {
            return verb == Verb.GET ? list(parameters) : verb.notAllowed(Verb.GET);
        }
        String decision = path.size() == 2 ? path.get(1) : "";
        if (!decision.equals("commit") && !decision.equals("rollback")) {
            return JsonPage.failure(404, "expected commit or rollback after the transaction");
        }
        Xid xid = Xid.parse(path.get(0));
        return verb == Verb.POST ? decide(by, xid, decision) : verb.notAllowed(Verb.POST);
    }

    private CompletionStage<Response> list(Map<String, List<String>> parameters) {
        String after = Listing.after(parameters);
        int limit = Listing.limit(parameters);
        @Nullable Xid known = after.isEmpty() ? null : Xid.parse(after);
        return questions
                .ask(shard ->
                        shard.transactions().summaries(known, limit + 1).stream()
                                .map(Prepared::of)
                                .toList())
                .thenCompose(found -> page(found, limit));
    }

    private static CompletionStage<Response> page(List<Prepared> found, int limit) {
        int size = Listing.pageSize(found, limit, one -> one.transaction().length());
        return JsonPage.of(
                found.subList(0, size),
                size < found.size()
                        ? Listing.next(PATH, found.get(size - 1).transaction(), limit)
                        : "");
    }

    private CompletionStage<Response> decide(Operator by, Xid xid, String decision) {
        return questions
                .<Decided>ask(0, (shard, answer) -> decide(by, shard, xid, decision, answer))
                .thenCompose(JsonPage::of);
    }

    private void decide(
            Operator by, Shard shard, Xid xid, String decision, CompletableFuture<Decided> answer) {
        String what = "decided prepared transaction " + xid + ": " + decision;
        Outcome outcome =
                QueuePages.whenDone(
                        answer, new Decided(xid.toString(), decision), () -> by.did(what));
        Runnable unknown =
                () ->
                        answer.completeExceptionally(
                                new ProblemException(
                                        404, "transaction " + xid + " is not prepared"));
        if (decision.equals("commit")) {
            delayed.commit(shard, xid, outcome, unknown);
        } else {
            shard.transactions().rollback(xid, outcome, unknown);
        }
    }
}
