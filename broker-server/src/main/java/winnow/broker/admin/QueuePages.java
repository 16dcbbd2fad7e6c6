package winnow.broker.admin;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import winnow.broker.destination.DestinationRegistry;
import winnow.broker.destination.RefusedException;
import winnow.broker.shard.OldestMessages;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.transport.HttpServer.Response;
import winnow.store.LogException;
import winnow.wire.DestinationKind;
import winnow.wire.Protocol;

/// The queues and what waits in them: shown and changed. Thread-safe.
final class QueuePages {
    private static final String PATH = AdminApi.ROOT + "queues";

    private final ShardQuestions questions;
    private final MessagePages messages;
    private final DestinationRegistry registry;

    QueuePages(ShardQuestions questions, MessagePages messages, DestinationRegistry registry) {
        this.questions = questions;
        this.messages = messages;
        this.registry = registry;
    }

    /// What was removed with a queue.
    ///
    /// @param messages that waited in it
    record Removed(long messages) {}

    /// @param path behind `queues`
    /// @throws IllegalArgumentException saying what is wrong with the request
    CompletionStage<Response> answer(
            Operator by, Verb verb, List<String> path, Map<String, List<String>> parameters) {
        if (path.isEmpty()) {
            return verb == Verb.GET ? list(parameters) : verb.notAllowed(Verb.GET);
        }
        String name = path.get(0);
        return switch (path.size() == 1 ? "" : path.size() == 2 ? path.get(1) : "?") {
            case "" ->
                    switch (verb) {
                        case GET -> ofQueue(name);
                        case DELETE -> remove(by, name);
                        case POST -> verb.notAllowed(Verb.GET, Verb.DELETE);
                    };
            case "messages" ->
                    switch (verb) {
                        case GET -> messages.show(shard -> queue(shard, name), parameters);
                        case DELETE -> purge(by, name, parameters);
                        case POST -> verb.notAllowed(Verb.GET, Verb.DELETE);
                    };
            case "move" ->
                    verb == Verb.POST ? move(by, name, parameters) : verb.notAllowed(Verb.POST);
            case "retry" ->
                    verb == Verb.POST ? retry(by, name, parameters) : verb.notAllowed(Verb.POST);
            default ->
                    JsonPage.failure(
                            404, "expected messages, move or retry after the queue's name");
        };
    }

    private CompletionStage<Response> list(Map<String, List<String>> parameters) {
        String after = Listing.after(parameters);
        int limit = Listing.limit(parameters);
        return questions
                .ask(shard -> List.copyOf(shard.catalog().destinations()))
                .thenApply(all -> chosen(all, after, limit + 1))
                .thenCompose(chosen ->
                        questions.<List<StoredInfo.Queue>>ask(
                                0, (shard, answer) -> describe(shard, chosen, answer)))
                .thenCompose(found -> page(found, limit));
    }

    private static void describe(
            Shard shard,
            List<StoredDestination> chosen,
            CompletableFuture<List<StoredInfo.Queue>> answer) {
        List<StoredDestination> there = chosen.stream().filter(one -> !one.removed()).toList();
        OldestMessages.read(
                shard,
                there.stream().map(StoredDestination::queue).toList(),
                () -> answer.complete(there.stream().map(StoredInfo.Queue::of).toList()));
    }

    /// By name; names do not change, so they may be read on any thread.
    private static List<StoredDestination> chosen(
            List<StoredDestination> all, String after, int count) {
        return all.stream()
                .filter(one -> one.kind() == DestinationKind.QUEUE)
                .filter(one -> one.name().compareTo(after) > 0)
                .sorted(Comparator.comparing(StoredDestination::name))
                .limit(count)
                .toList();
    }

    private static CompletionStage<Response> page(List<StoredInfo.Queue> found, int limit) {
        int size = Listing.pageSize(found, limit, one -> one.name().length());
        return JsonPage.of(
                found.subList(0, size),
                size < found.size() ? Listing.next(PATH, found.get(size - 1).name(), limit) : "");
    }

    private CompletionStage<Response> ofQueue(String name) {
        return questions
                .<List<StoredInfo.Queue>>ask(
                        0,
                        (shard, answer) ->
                                describe(shard, List.of(destination(shard, name)), answer))
                .thenCompose(found -> JsonPage.of(found.get(0)));
    }

    private static StoredDestination destination(Shard shard, String name) {
        return shard.catalog()
                .findQueue(name)
                .orElseThrow(() ->
                        new ProblemException(
                                404,
                                "there is no queue '"
                                        + name
                                        + "'; 'winnow queue list' or GET /api/v1/queues"
                                        + " shows those that are there"));
    }

    private static StoredSubscription queue(Shard shard, String name) {
        return destination(shard, name).queue();
    }

    private CompletionStage<Response> remove(Operator by, String name) {
        return questions
                .<Removed>ask(0, (shard, answer) -> remove(by, shard, name, answer))
                .thenCompose(JsonPage::of);
    }

    private static void remove(
            Operator by, Shard shard, String name, CompletableFuture<Removed> answer) {
        StoredDestination queue = destination(shard, name);
        Removed removed = new Removed(queue.queue().messages());
        try {
            String what = "removed queue " + name + " with " + Operator.count(removed.messages());
            shard.remove(queue, whenDone(answer, removed, () -> by.did(what)));
        } catch (IllegalStateException e) {
            throw new ProblemException(409, String.valueOf(e.getMessage()));
        }
    }

    /// Answers when the outcome is known.
    ///
    /// @param done called before, if it is done
    static <T> Outcome whenDone(CompletableFuture<T> answer, T result, Runnable done) {
        return new Outcome() {
            @Override
            public void onDone() {
                done.run();
                answer.complete(result);
            }

            @Override
            public void onFailed(LogException failure) {
                answer.completeExceptionally(MessagePages.unavailable(failure));
            }
        };
    }

    private CompletionStage<Response> purge(
            Operator by, String name, Map<String, List<String>> parameters) {
        return messages.change(
                by,
                count -> "removed " + count + " of queue " + name,
                (shard, selection, result) ->
                        shard.operations().purge(queue(shard, name), selection, result),
                parameters);
    }

    private CompletionStage<Response> move(
            Operator by, String name, Map<String, List<String>> parameters) {
        String target = Listing.text(parameters, "to");
        registry.checkQueue(target);
        return messages.change(
                by,
                count -> "moved " + count + " of queue " + name + " to queue " + target,
                (shard, selection, result) -> {
                    StoredSubscription from = queue(shard, name);
                    if (target.equals(name)) {
                        throw new ProblemException(
                                400, "to: expected another queue, found '" + target + "'");
                    }
                    StoredDestination to =
                            target.startsWith(Protocol.TEMPORARY_PREFIX)
                                    ? destination(shard, target)
                                    : shard.queue(target);
                    return shard.operations().move(from, selection, to, result);
                },
                parameters);
    }

    private CompletionStage<Response> retry(
            Operator by, String name, Map<String, List<String>> parameters) {
        return messages.change(
                by,
                count -> "moved " + count + " of queue " + name + " back where they came from",
                (shard, selection, result) ->
                        shard.operations()
                                .retry(
                                        queue(shard, name),
                                        selection,
                                        target -> usable(shard, target),
                                        result),
                parameters);
    }

    /// Whether a message may go to a queue that a message names.
    private boolean usable(Shard shard, String target) {
        if (target.startsWith(Protocol.TEMPORARY_PREFIX)) {
            return shard.catalog().findQueue(target).isPresent();
        }
        try {
            registry.checkQueue(target);
            return true;
        } catch (RefusedException e) {
            return false;
        }
    }
}
