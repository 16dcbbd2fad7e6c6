package winnow.broker.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.RequestAccess;
import winnow.broker.config.NamePattern;
import winnow.broker.metrics.StorageFigures;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.broker.shard.OldestMessages;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.storage.Storage;
import winnow.broker.transport.HttpServer.Response;
import winnow.wire.DestinationKind;

/// Stored messages at a glance: totals, and the queues and stored subscriptions in which most
/// messages wait. Thread-safe.
final class BacklogPages {
    /// A disk that completes nothing for longer hangs.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Comparator<StoredSubscription> BY_MESSAGES =
            Comparator.comparingLong(StoredSubscription::messages)
                    .thenComparing(StoredSubscription::id, Comparator.reverseOrder());

    private final Storage storage;
    private final ShardQuestions questions;

    BacklogPages(Storage storage, ShardQuestions questions) {
        this.storage = storage;
        this.questions = questions;
    }

    /// Everything that is stored, as of at most about a second ago.
    ///
    /// @param state `working`, `stalled` while its disk completes nothing, or `read-only` while it
    ///   takes no messages
    /// @param problem why, empty if it works
    /// @param queues with those of the broker
    /// @param subscriptions durable and shared ones
    /// @param messages that are not acknowledged, once for each subscription
    /// @param unattended those without a consumer, dead letters excepted
    /// @param oldest since when the oldest waits, dead letters excepted; null if none does
    /// @param damaged messages that were put aside since the broker started
    /// @param appended and the following: since the broker started
    record StoredTotals(
            String state,
            String problem,
            int queues,
            int subscriptions,
            int consumers,
            long messages,
            long bytes,
            long unacknowledged,
            long unattended,
            long deadLetters,
            @Nullable String oldest,
            long damaged,
            long appended,
            long delivered,
            long acknowledged) {}

    /// A queue or stored subscription.
    ///
    /// @param kind `queue` or `subscription`
    /// @param name of the queue or the subscription
    /// @param topic of the subscription, empty for a queue
    /// @param id number of the subscription
    record Waiting(String kind, String name, String topic, int id, StoredInfo.Backlog backlog) {
        static Waiting of(StoredSubscription one) {
            boolean queue = one.destination().kind() == DestinationKind.QUEUE;
            return new Waiting(
                    queue ? "queue" : "subscription",
                    BacklogPages.name(one),
                    queue ? "" : one.destination().name(),
                    one.id(),
                    StoredInfo.Backlog.of(one));
        }
    }

    private static String name(StoredSubscription one) {
        return one.destination().kind() == DestinationKind.QUEUE
                ? one.destination().name()
                : one.name().display();
    }

    StoredTotals totals() {
        StorageFigures now = storage.figures();
        StorageFigures.Content content = now.content();
        StorageFigures.Flow flow = now.flow();
        String problem = storage.problem(PATIENCE);
        long since = content.waitingSinceMillis();
        return new StoredTotals(
                problem.isEmpty() ? "working" : now.failure().isEmpty() ? "stalled" : "read-only",
                problem,
                content.queues(),
                content.subscriptions(),
                content.consumers(),
                content.messages(),
                content.bytes(),
                content.unacknowledged(),
                content.unattended(),
                content.deadLetters(),
                since == 0 ? null : Instant.ofEpochMilli(since).toString(),
                now.log().quarantined(),
                flow.appended(),
                flow.delivered(),
                flow.acknowledged());
    }

    void addTo(List<Route> routes) {
        routes.add(
                Route.get(
                                "backlogs",
                                "listBacklogs",
                                "the queues and stored subscriptions in which most messages wait")
                        .topOf(Waiting.class)
                        .filteredBy(Permission.VIEW)
                        .by(this::largest));
    }

    private CompletionStage<Response> largest(Asked asked) {
        NamePattern names = asked.names();
        int limit = asked.limit();
        return questions
                .<List<Waiting>>ask(
                        0,
                        (shard, answer) ->
                                largest(
                                        shard,
                                        one -> names.fits(name(one)) && sees(asked.access(), one),
                                        limit,
                                        answer))
                .thenCompose(JsonPage::of);
    }

    private static boolean sees(RequestAccess access, StoredSubscription one) {
        return one.destination().kind() == DestinationKind.QUEUE
                ? access.sees(ProtectedKind.QUEUE, one.destination().name())
                : access.allows(Permission.VIEW, one);
    }

    private static void largest(
            Shard shard,
            Predicate<StoredSubscription> wanted,
            int limit,
            CompletableFuture<List<Waiting>> answer) {
        PriorityQueue<StoredSubscription> largest = new PriorityQueue<>(BY_MESSAGES);
        for (StoredSubscription one : shard.catalog().subscriptions()) {
            if (one.messages() > 0 && wanted.test(one)) {
                largest.add(one);
                if (largest.size() > limit) {
                    largest.remove();
                }
            }
        }
        List<StoredSubscription> found = new ArrayList<>(largest);
        found.sort(BY_MESSAGES.reversed());
        OldestMessages.read(
                shard, found, () -> answer.complete(found.stream().map(Waiting::of).toList()));
    }
}
