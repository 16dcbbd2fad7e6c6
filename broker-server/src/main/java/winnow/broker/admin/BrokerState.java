package winnow.broker.admin;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import winnow.broker.config.NamePattern;
import winnow.broker.destination.Topic;
import winnow.broker.matching.SubscriptionInfo;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.metrics.SelectorCost;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.session.ConnectionInfo;
import winnow.broker.session.Connections;
import winnow.broker.subscription.Recipient;
import winnow.broker.subscription.SubscriptionsBehind;

/// Overview of the broker, for people: totals, connections, who waits for whom. Thread-safe.
public final class BrokerState {
    private static final int ANSWER_SECONDS = 5;

    private final DestinationRegistry topics;
    private final Connections connections;
    private final BrokerCounters counters;
    private final SubscriptionsBehind behind;
    private final StoredPages stored;

    public BrokerState(
            DestinationRegistry topics,
            Connections connections,
            BrokerCounters counters,
            SubscriptionsBehind behind,
            StoredPages stored) {
        this.behind = behind;
        this.stored = stored;
        this.topics = topics;
        this.connections = connections;
        this.counters = counters;
    }

    /// @param uptimeMillis since the start; rates are differences divided by those of this
    /// @param subscriptions live ones of topics
    /// @param behind live subscriptions that are behind
    /// @param messagesReceived that were published to topics
    /// @param messagesDispatched copies to live subscriptions
    /// @param stored queues and stored subscriptions
    record Overview(
            long uptimeMillis,
            int connections,
            int subscriptions,
            int topics,
            long blockedTopics,
            int behind,
            long messagesReceived,
            long messagesDispatched,
            BacklogPages.StoredTotals stored) {}

    /// @param id of the subscription within its topic
    /// @param waitingBytes what waits until the client takes it
    record Consumer(String topic, int id, String client, String selector, long waitingBytes) {
        Consumer(Topic topic, SubscriptionInfo info) {
            this(topic.name(), info.id(), info.client(), info.selector(), info.waitingBytes());
        }
    }

    /// @param nanosPerMessage what matching takes for it, mean over all messages of the topic
    /// @param candidateRatio part of the messages whose values led to it, 0 to 1
    /// @param matchRatio part of the messages that it matched, 0 to 1
    /// @param totalNanos what matching took for it since the topic appeared, estimated
    record CostlySelector(
            String topic,
            String selector,
            double nanosPerMessage,
            double candidateRatio,
            double matchRatio,
            double totalNanos) {
        CostlySelector(Topic topic, SelectorCost cost) {
            this(
                    topic.name(),
                    cost.selector(),
                    cost.nanosPerMessage(),
                    cost.candidateRatio(),
                    cost.matchRatio(),
                    cost.nanosPerMessage() * topic.matchCounters().messages.sum());
        }
    }

    Overview overview() {
        return new Overview(
                ManagementFactory.getRuntimeMXBean().getUptime(),
                counters.connections.get(),
                counters.subscriptions.get(),
                topics.topics().size(),
                topics.topics().stream().filter(Topic::blocked).count(),
                behind.count(),
                counters.received(),
                counters.dispatched(),
                stored.totals());
    }

    /// In the order of their identifiers, with those greater than `after`.
    ///
    /// @param wanted tells which, null for all
    CompletionStage<List<ConnectionInfo>> connections(
            long after, @Nullable Predicate<ConnectionInfo> wanted, int limit) {
        List<ConnectionInfo> away =
                connections.away().stream()
                        .filter(one ->
                                Long.compareUnsigned(Long.parseUnsignedLong(one.id(), 16), after)
                                        > 0)
                        .toList();
        return all(connections.open().stream()
                        .filter(one -> Long.compareUnsigned(one.id(), after) > 0)
                        .sorted((one, other) -> Long.compareUnsigned(one.id(), other.id()))
                        .limit(wanted == null ? limit : Long.MAX_VALUE)
                        .<CompletionStage<ConnectionInfo>>map(
                                one -> CompletableFuture.supplyAsync(one::info, one.loop()))
                        .toList())
                .thenApply(found ->
                        Stream.concat(found.stream(), away.stream())
                                .filter(one -> wanted == null || wanted.test(one))
                                .sorted(Comparator.comparing(ConnectionInfo::id))
                                .limit(limit)
                                .toList());
    }

    /// True if the name fits of the client, its application, host, user or address.
    static boolean fits(NamePattern names, ConnectionInfo one) {
        return Stream.of(one.client(), one.application(), one.host(), one.user(), one.address())
                .anyMatch(names::fits);
    }

    private List<Topic> topics(Predicate<String> names) {
        return topics.topics().stream().filter(topic -> names.test(topic.name())).toList();
    }

    /// Closes a connection.
    ///
    /// @return what it was, empty if there is none of that number
    Optional<CompletionStage<ConnectionInfo>> close(long id) {
        return connections
                .close(id)
                .map(closed ->
                        closed.toCompletableFuture().orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS));
    }

    /// The subscriptions for which most waits, of all topics of these names.
    ///
    /// @param shown which of them
    CompletionStage<List<Consumer>> slowest(
            Predicate<String> names, Predicate<Recipient> shown, int limit) {
        List<CompletionStage<List<Consumer>>> asked = new ArrayList<>();
        for (Topic topic : topics(names)) {
            asked.add(
                    topic.slowest(limit, shown)
                            .thenApply(found ->
                                    found.stream().map(one -> new Consumer(topic, one)).toList()));
        }
        return all(asked)
                .thenApply(found ->
                        found.stream()
                                .flatMap(List::stream)
                                .sorted(Comparator.comparingLong(Consumer::waitingBytes).reversed())
                                .limit(limit)
                                .toList());
    }

    /// The topics behind that name whose producers are held back.
    BlockedTopics blocked(String after, Predicate<String> names, int limit) {
        return BlockedTopics.of(topics(names), after, limit);
    }

    /// The live subscriptions that are behind, of topics of these names, those with most first.
    List<SubscriptionsBehind.BehindSubscription> behind(Predicate<String> names, int limit) {
        return behind.list(names, limit);
    }

    /// The selectors that matching spends most time on, as of about a second ago. Topics look for
    /// theirs as long as somebody asks, so the first answer may have none.
    ///
    /// @param named whether those of durable and shared subscriptions may be shown, too; if not,
    ///   topics are left out that have such ones, because nobody keeps whose a selector is
    List<CostlySelector> costliest(Predicate<String> names, boolean named, int limit) {
        return topics(names).stream()
                .filter(topic -> named || !topic.hasNamed())
                .flatMap(topic ->
                        topic.costliestSelectors().stream()
                                .map(cost -> new CostlySelector(topic, cost)))
                .sorted(Comparator.comparingDouble(CostlySelector::totalNanos).reversed())
                .limit(limit)
                .toList();
    }

    private static <T> CompletionStage<List<T>> all(List<CompletionStage<T>> asked) {
        CompletableFuture<?>[] futures =
                asked.stream()
                        .map(CompletionStage::toCompletableFuture)
                        .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(futures)
                .orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS)
                .thenApplyAsync(
                        _ -> asked.stream().map(one -> one.toCompletableFuture().join()).toList());
    }
}
