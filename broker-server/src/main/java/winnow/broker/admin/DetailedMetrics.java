package winnow.broker.admin;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import winnow.broker.admin.request.JsonPage;
import winnow.broker.admin.request.Listing;
import winnow.broker.admin.request.RequestAccess;
import winnow.broker.destination.Topic;
import winnow.broker.metrics.Exposition;
import winnow.broker.metrics.MetricsConfig;
import winnow.broker.metrics.QueueFigures;
import winnow.broker.metrics.ScrapeCosts;
import winnow.broker.metrics.TopicMetrics;
import winnow.broker.permission.AccessControl;
import winnow.broker.permission.Permission;
import winnow.broker.permission.ProtectedKind;
import winnow.broker.routing.DestinationRegistry;
import winnow.broker.storage.QueueFiguresReader;
import winnow.broker.storage.QueueFiguresReader.Wish;
import winnow.broker.storage.Storage;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

/// The metrics of single topics and queues, of stored subscriptions and of the costliest selectors,
/// which name them, in Prometheus' text form. Thread-safe.
///
/// ```
/// /metrics/detailed                  the busiest topics and the costliest selectors of all
/// /metrics/detailed?top=N            at most N of each
/// /metrics/detailed?topic=A&topic=B  these topics, and the costliest selectors of theirs
/// /metrics/detailed?queue=A&topic=B  these queues and topics
/// ```
public final class DetailedMetrics implements HttpServer.Page {
    /// Kinds of objects whose names are shown.
    private static final List<ProtectedKind> NAMED =
            List.of(ProtectedKind.QUEUE, ProtectedKind.TOPIC, ProtectedKind.SUBSCRIPTION);

    private final MetricsConfig config;
    private final DestinationRegistry topics;
    private final ShardQuestions questions;
    private final ScrapeCosts costs;
    private final AccessControl control;

    public DetailedMetrics(
            MetricsConfig config,
            DestinationRegistry topics,
            Storage storage,
            ScrapeCosts costs,
            AccessControl control) {
        this.control = control;
        this.config = config;
        this.questions = new ShardQuestions(storage);
        this.costs = costs;
        this.topics = topics;
    }

    @Override
    public CompletionStage<Response> get(Request request) {
        RequestAccess access = RequestAccess.of(control, request);
        for (ProtectedKind kind : NAMED) {
            if (!access.granted().allowAll(Permission.VIEW, kind)) {
                String refusal =
                        String.valueOf(access.refused(Permission.VIEW, kind, "*").getMessage());
                return JsonPage.failure(403, refusal);
            }
        }
        try {
            return scrape(request);
        } catch (IllegalArgumentException e) {
            return JsonPage.failure(400, String.valueOf(e.getMessage()));
        }
    }

    private CompletionStage<Response> scrape(Request request) {
        int most = Math.max(config.topics(), config.selectors());
        int top = Listing.number(request.parameters(), "top", most, 0, MetricsConfig.MAX);
        Set<String> names = names(request, "topic");
        Set<String> queues = names(request, "queue");
        boolean all = names.isEmpty() && queues.isEmpty();
        int shown = Math.min(top, config.topics());
        Wish ofQueues = new Wish(queues, all || !queues.isEmpty() ? shown : 0);
        Wish ofTopics = new Wish(names, all || !names.isEmpty() ? shown : 0);
        int selectors = Math.min(top, config.selectors());
        String accept = request.headers().accept();
        return questions
                .<QueueFigures>ask(
                        0,
                        (shard, answer) ->
                                QueueFiguresReader.read(
                                        shard, ofQueues, ofTopics, answer::complete))
                .handle((figures, failure) ->
                        failure == null
                                ? page(ofTopics, selectors, figures, accept)
                                : Response.problem(503, "the storage did not answer in time"));
    }

    private static Set<String> names(Request request, String parameter) {
        return Set.copyOf(request.parameters().getOrDefault(parameter, List.of()));
    }

    private Response page(Wish wish, int selectors, QueueFigures figures, String accept) {
        Collection<Topic> all = topics.topics();
        Collection<Topic> asked =
                wish.names().isEmpty()
                        ? all
                        : all.stream()
                                .filter(topic -> wish.names().contains(topic.name()))
                                .toList();
        Exposition.Page page =
                TopicMetrics.scrape(asked, wish.limit(), selectors, figures, costs, accept);
        return new Response(200, page.contentType(), page.text());
    }
}
