package winnow.broker.admin;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import winnow.broker.destination.NamedSubscriptions;
import winnow.broker.shard.OldestMessages;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.shard.SubscriptionName;
import winnow.broker.transport.HttpServer.Response;
import winnow.wire.DestinationKind;

/// The durable and the shared subscriptions of all topics, and what waits in them: shown and
/// changed. Thread-safe.
final class SubscriptionPages {
    private static final String PATH = AdminApi.ROOT + "subscriptions";

    private final ShardQuestions questions;
    private final MessagePages messages;
    private final NamedSubscriptions named;

    SubscriptionPages(ShardQuestions questions, MessagePages messages, NamedSubscriptions named) {
        this.questions = questions;
        this.messages = messages;
        this.named = named;
    }

    /// @param path behind `subscriptions`
    /// @throws IllegalArgumentException saying what is wrong with the request
    CompletionStage<Response> answer(
            Operator by, Verb verb, List<String> path, Map<String, List<String>> parameters) {
        if (path.isEmpty()) {
            return verb == Verb.GET ? list(parameters) : verb.notAllowed(Verb.GET);
        }
        int id = Listing.number("subscription", path.get(0), 0, Integer.MAX_VALUE);
        if (path.size() > 2 || (path.size() == 2 && !path.get(1).equals("messages"))) {
            return JsonPage.failure(404, "expected messages after the subscription's number");
        }
        boolean ofMessages = path.size() == 2;
        return switch (verb) {
            case GET ->
                    ofMessages
                            ? messages.show(shard -> find(shard, id), parameters)
                            : questions
                                    .<List<StoredInfo.Subscription>>ask(
                                            0,
                                            (shard, answer) ->
                                                    describe(
                                                            shard,
                                                            List.of(find(shard, id)),
                                                            answer))
                                    .thenCompose(found -> JsonPage.of(found.get(0)));
            case DELETE -> ofMessages ? purge(by, id, parameters) : remove(by, id);
            case POST -> verb.notAllowed(Verb.GET, Verb.DELETE);
        };
    }

    private CompletionStage<Response> list(Map<String, List<String>> parameters) {
        int after = Listing.number(parameters, "after", -1, -1, Integer.MAX_VALUE);
        int limit = Listing.limit(parameters);
        return questions
                .ask(shard -> List.copyOf(shard.catalog().subscriptions()))
                .thenApply(all -> chosen(all, after, limit + 1))
                .thenCompose(chosen ->
                        questions.<List<StoredInfo.Subscription>>ask(
                                0, (shard, answer) -> describe(shard, chosen, answer)))
                .thenCompose(found -> page(found, limit));
    }

    private static void describe(
            Shard shard,
            List<StoredSubscription> chosen,
            CompletableFuture<List<StoredInfo.Subscription>> answer) {
        List<StoredSubscription> there = chosen.stream().filter(one -> !one.ended()).toList();
        OldestMessages.read(
                shard,
                there,
                () -> answer.complete(there.stream().map(StoredInfo.Subscription::of).toList()));
    }

    /// By number; none of what is read changes, so it may be read on any thread.
    private static List<StoredSubscription> chosen(
            List<StoredSubscription> all, int after, int count) {
        return all.stream()
                .filter(one -> one.destination().kind() == DestinationKind.TOPIC)
                .filter(one -> one.id() > after)
                .sorted(Comparator.comparingInt(StoredSubscription::id))
                .limit(count)
                .toList();
    }

    private static CompletionStage<Response> page(List<StoredInfo.Subscription> found, int limit) {
        int size = Listing.pageSize(found, limit, StoredInfo.Subscription::characters);
        return JsonPage.of(
                found.subList(0, size),
                size < found.size()
                        ? Listing.next(PATH, String.valueOf(found.get(size - 1).id()), limit)
                        : "");
    }

    private static StoredSubscription find(Shard shard, int id) {
        return shard.catalog()
                .findSubscription(id)
                .filter(one -> one.destination().kind() == DestinationKind.TOPIC)
                .orElseThrow(() ->
                        new ProblemException(
                                404,
                                "there is no subscription "
                                        + id
                                        + "; 'winnow subscription list' or GET"
                                        + " /api/v1/subscriptions shows those that are"
                                        + " there"));
    }

    private CompletionStage<Response> purge(
            Operator by, int id, Map<String, List<String>> parameters) {
        return messages.change(
                by,
                count -> "removed " + count + " of stored subscription " + id,
                (shard, selection, result) ->
                        shard.operations().purge(find(shard, id), selection, result),
                parameters);
    }

    private CompletionStage<Response> remove(Operator by, int id) {
        return questions
                .<QueuePages.Removed>ask(
                        0,
                        (shard, answer) -> {
                            StoredSubscription found = find(shard, id);
                            SubscriptionName name = found.name();
                            if (!name.durable()) {
                                throw new ProblemException(
                                        409,
                                        "subscription '"
                                                + name.display()
                                                + "' is not durable: it ends with its last"
                                                + " consumer");
                            }
                            var removed = new QueuePages.Removed(found.messages());
                            String what =
                                    "removed subscription "
                                            + name.display()
                                            + " of topic "
                                            + found.destination().name()
                                            + " with "
                                            + Operator.count(removed.messages());
                            named.delete(
                                    shard,
                                    name.clientId(),
                                    name.subscription(),
                                    QueuePages.whenDone(answer, removed, () -> by.did(what)));
                        })
                .thenCompose(JsonPage::of);
    }
}
