package winnow.broker.admin;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import winnow.broker.admin.request.Asked;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.Listing;
import winnow.broker.admin.request.Parameter;
import winnow.broker.admin.request.ProblemException;
import winnow.broker.destination.Topic;
import winnow.broker.matching.SubscriptionInfo;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.transport.HttpServer.Response;

/// Topics in use and their live subscriptions. Thread-safe.
final class TopicPages {
    private static final String PATH = AdminApi.ROOT + "topics";

    /// Name of the topic in the path.
    private static final String TOPIC = "topic";

    private final DestinationRegistry topics;
    private final Explanations explanations;

    TopicPages(DestinationRegistry topics, Explanations explanations) {
        this.topics = topics;
        this.explanations = explanations;
    }

    /// A topic for people.
    ///
    /// @param matching `indexed` or `linear`
    /// @param messages published since the topic appeared
    /// @param blockedBy which limit of which subscription holds producers back, empty if none does
    record TopicInfo(
            String name, String matching, int subscriptions, long messages, String blockedBy) {
        TopicInfo(Topic topic) {
            this(
                    topic.name(),
                    topic.matching(),
                    topic.subscriptionCount(),
                    topic.matchCounters().messages.sum(),
                    topic.blockReason());
        }
    }

    void addTo(List<Route> routes) {
        routes.add(
                Route.get("topics", "listTopics", "topics by name")
                        .pagesOf(TopicInfo.class)
                        .filteredBy(Permission.VIEW)
                        .by(this::list));
        routes.add(
                Route.get("topics/{topic}", "getTopic", "one topic")
                        .of(TopicInfo.class)
                        .needs(Permission.VIEW, ProtectedKind.TOPIC, TOPIC, TopicPages::missing)
                        .by(asked -> JsonPage.of(new TopicInfo(topic(asked)))));
        routes.add(
                Route.get(
                                "topics/{topic}/subscriptions",
                                "listTopicSubscriptions",
                                "live subscriptions of a topic")
                        .listOf(SubscriptionInfo.class)
                        .with(Parameter.LIMIT, Parameter.AFTER)
                        .needs(Permission.VIEW, ProtectedKind.TOPIC, TOPIC, TopicPages::missing)
                        .by(this::subscriptions));
        routes.add(
                Route.get(
                                "topics/{topic}/subscriptions/{id}/explain",
                                "explainSelector",
                                "how the selector of a live subscription is doing")
                        .of(Explanations.Answer.class)
                        .needs(Permission.VIEW, ProtectedKind.TOPIC, TOPIC, TopicPages::missing)
                        .by(this::explain));
    }

    private Topic topic(Asked asked) {
        String name = asked.value(TOPIC);
        return topics.find(name).orElseThrow(() -> missing(name));
    }

    private static ProblemException missing(String name) {
        return new ProblemException(404, "no topic '" + name + "' is in use");
    }

    private CompletionStage<Response> list(Asked asked) {
        String after = asked.after();
        Predicate<String> names = asked.topics();
        List<TopicInfo> found =
                topics.topics().stream()
                        .filter(topic -> names.test(topic.name()))
                        .filter(topic -> topic.name().compareTo(after) > 0)
                        .sorted(Comparator.comparing(Topic::name))
                        .limit(asked.limit() + 1L)
                        .map(TopicInfo::new)
                        .toList();
        return asked.page(PATH, found, topic -> topic.name().length(), TopicInfo::name);
    }

    private CompletionStage<Response> subscriptions(Asked asked) {
        Topic topic = topic(asked);
        int after = Listing.number(asked.parameters(), "after", 0, 0, Integer.MAX_VALUE);
        return topic.list(after, asked.limit() + 1, asked.access().consumers())
                .thenCompose(found ->
                        asked.page(
                                PATH + "/" + Listing.encode(topic.name()) + "/subscriptions",
                                found,
                                one -> one.selector().length() + one.correlationIdFilter().length(),
                                one -> String.valueOf(one.id())));
    }

    private CompletionStage<Response> explain(Asked asked) {
        Topic topic = topic(asked);
        int id = Listing.number("subscription", asked.value("id"), 0, Integer.MAX_VALUE);
        return topic.explain(id, asked.access().consumers())
                .thenCompose(found ->
                        found.map(info -> JsonPage.of(explanations.of(topic, info)))
                                .orElseGet(() -> noSubscription(topic, id)));
    }

    private static CompletionStage<Response> noSubscription(Topic topic, int id) {
        return JsonPage.failure(404, "topic '" + topic.name() + "' has no subscription " + id);
    }
}
