package winnow.broker.admin;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.Operator;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.config.NamePattern;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.shard.OldestMessages;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.transport.HttpServer.Response;
import winnow.wire.DestinationKind;
import winnow.wire.Protocol;

/// The queues: shown, made, paused and removed. Thread-safe.
final class QueuePages {
    private static final String PATH = AdminApi.ROOT + "queues";

    /// Name of the queue in the path.
    static final String QUEUE = "queue";

    static final String ITEM = "queues/{" + QUEUE + "}";

    private final ShardQuestions questions;
    private final DestinationRegistry registry;

    QueuePages(ShardQuestions questions, DestinationRegistry registry) {
        this.questions = questions;
        this.registry = registry;
    }

    /// Result of the removal of a queue.
    ///
    /// @param messages that waited in it
    record Removed(long messages) {}

    /// A queue that was paused or resumed. Says no more, for who may do that need not see it.
    ///
    /// @param paused whether its consumers get nothing until it is resumed
    record QueuePause(String name, boolean paused) {}

    void addTo(List<Route> routes) {
        routes.add(
                Route.get("queues", "listQueues", "queues by name, and what waits in them")
                        .pagesOf(StoredInfo.Queue.class)
                        .filteredBy(Permission.VIEW)
                        .by(this::list));
        routes.add(
                Route.get(ITEM, "getQueue", "one queue")
                        .of(StoredInfo.Queue.class)
                        .needs(Permission.VIEW, ProtectedKind.QUEUE, QUEUE, QueuePages::missing)
                        .by(asked -> ofQueue(asked.value(QUEUE))));
        routes.add(
                Route.delete(
                                ITEM,
                                "deleteQueue",
                                "removes a queue without consumers, with its messages")
                        .of(Removed.class)
                        .needs(Permission.DELETE, ProtectedKind.QUEUE, QUEUE, QueuePages::missing)
                        .conflict("the queue has consumers, or messages that they have")
                        .by(this::remove));
        addChanges(routes);
    }

    private void addChanges(List<Route> routes) {
        routes.add(
                Route.post(ITEM, "createQueue", "makes a queue, unless it is there")
                        .of(StoredInfo.Queue.class)
                        .looksUp(Permission.CREATE)
                        .conflict("there is no room for another queue")
                        .by(this::create));
        routes.add(
                Route.post(
                                ITEM + "/pause",
                                "pauseQueue",
                                "keeps the messages of a queue back from its consumers, until it"
                                        + " is resumed")
                        .of(QueuePause.class)
                        .needs(Permission.EDIT, ProtectedKind.QUEUE, QUEUE, QueuePages::missing)
                        .by(asked -> pause(asked, true)));
        routes.add(
                Route.post(
                                ITEM + "/resume",
                                "resumeQueue",
                                "lets the consumers of a queue that was paused have its messages")
                        .of(QueuePause.class)
                        .needs(Permission.EDIT, ProtectedKind.QUEUE, QUEUE, QueuePages::missing)
                        .by(asked -> pause(asked, false)));
    }

    private CompletionStage<Response> list(Asked asked) {
        String after = asked.after();
        NamePattern fitting = asked.names();
        Predicate<String> names =
                name -> fitting.fits(name) && asked.access().sees(ProtectedKind.QUEUE, name);
        int count = asked.limit() + 1;
        return questions
                .ask(shard -> List.copyOf(shard.catalog().destinations()))
                .thenApply(all -> chosen(all, after, names, count))
                .thenCompose(chosen ->
                        questions.<List<StoredInfo.Queue>>ask(
                                0, (shard, answer) -> describe(shard, chosen, answer)))
                .thenCompose(found ->
                        asked.page(
                                PATH, found, one -> one.name().length(), StoredInfo.Queue::name));
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
            List<StoredDestination> all, String after, Predicate<String> names, int count) {
        return all.stream()
                .filter(one -> one.kind() == DestinationKind.QUEUE)
                .filter(one -> one.name().compareTo(after) > 0 && names.test(one.name()))
                .sorted(Comparator.comparing(StoredDestination::name))
                .limit(count)
                .toList();
    }

    private CompletionStage<Response> ofQueue(String name) {
        return questions
                .<List<StoredInfo.Queue>>ask(
                        0,
                        (shard, answer) ->
                                describe(shard, List.of(destination(shard, name)), answer))
                .thenCompose(found -> JsonPage.of(found.get(0)));
    }

    /// The answer tells about a queue that is there: who may make one must be allowed to view it.
    private CompletionStage<Response> create(Asked asked) {
        String name = asked.value(QUEUE);
        checkCreation(asked, name);
        registry.checkQueue(name);
        return questions
                .<Boolean>change(asked, 0, (now, shard, answer) -> create(now, shard, name, answer))
                .thenCompose(_ -> ofQueue(name));
    }

    private static void checkCreation(Asked asked, String name) {
        for (Permission needed : List.of(Permission.CREATE, Permission.VIEW)) {
            if (!asked.access().allows(needed, ProtectedKind.QUEUE, name)) {
                throw asked.access().refused(needed, ProtectedKind.QUEUE, name);
            }
        }
    }

    private static void create(
            Asked asked, Shard shard, String name, CompletableFuture<Boolean> answer) {
        checkCreation(asked, name);
        Operator by =
                asked.by().under(asked.access().line(Permission.CREATE, ProtectedKind.QUEUE, name));
        if (name.startsWith(Protocol.TEMPORARY_PREFIX)) {
            destination(shard, name);
        }
        if (shard.catalog().findQueue(name).isPresent()) {
            answer.complete(false);
            return;
        }
        String full = shard.full("", 0);
        if (full != null) {
            throw new ProblemException(409, "queue '" + name + "' cannot be made: " + full);
        }
        shard.queue(name);
        shard.sync(ShardQuestions.whenDone(answer, true, () -> by.did("made queue " + name)));
    }

    private CompletionStage<Response> pause(Asked asked, boolean paused) {
        String name = asked.value(QUEUE);
        String what = (paused ? "paused queue " : "resumed queue ") + name;
        return questions
                .<QueuePause>change(
                        asked,
                        0,
                        (_, shard, answer) ->
                                shard.operations()
                                        .pause(
                                                destination(shard, name),
                                                paused,
                                                ShardQuestions.whenDone(
                                                        answer,
                                                        new QueuePause(name, paused),
                                                        () -> asked.by().did(what))))
                .thenCompose(JsonPage::of);
    }

    static StoredDestination destination(Shard shard, String name) {
        return shard.catalog().findQueue(name).orElseThrow(() -> missing(name));
    }

    /// Says the same of a queue that is not there and of one that may not be seen.
    static ProblemException missing(String name) {
        return new ProblemException(
                404,
                "there is no queue '"
                        + name
                        + "'; 'winnow queue list' or GET /api/v1/queues shows those that are"
                        + " there");
    }

    static StoredSubscription queue(Shard shard, String name) {
        return destination(shard, name).queue();
    }

    private CompletionStage<Response> remove(Asked asked) {
        return questions
                .<Removed>change(
                        asked,
                        0,
                        (_, shard, answer) -> remove(asked.by(), shard, asked.value(QUEUE), answer))
                .thenCompose(JsonPage::of);
    }

    private static void remove(
            Operator by, Shard shard, String name, CompletableFuture<Removed> answer) {
        StoredDestination queue = destination(shard, name);
        Removed removed = new Removed(queue.queue().messages());
        try {
            String what = "removed queue " + name + " with " + Operator.count(removed.messages());
            shard.remove(queue, ShardQuestions.whenDone(answer, removed, () -> by.did(what)));
        } catch (IllegalStateException e) {
            throw new ProblemException(409, String.valueOf(e.getMessage()));
        }
    }
}
