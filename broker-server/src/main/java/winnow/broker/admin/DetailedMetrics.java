package winnow.broker.admin;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import winnow.broker.destination.Topic;
import winnow.broker.destination.TopicRegistry;
import winnow.broker.metrics.Exposition;
import winnow.broker.metrics.MetricsConfig;
import winnow.broker.metrics.ScrapeCosts;
import winnow.broker.metrics.TopicMetrics;
import winnow.broker.transport.HttpServer;
import winnow.broker.transport.HttpServer.Request;
import winnow.broker.transport.HttpServer.Response;

/// The metrics of single topics and of the costliest selectors, which name them, in Prometheus'
/// text form. Thread-safe.
///
/// ```
/// /metrics/detailed                  the busiest topics and the costliest selectors of all
/// /metrics/detailed?top=N            at most N of each
/// /metrics/detailed?topic=A&topic=B  these topics, and the costliest selectors of theirs
/// ```
public final class DetailedMetrics implements HttpServer.Page {
    private final MetricsConfig config;
    private final TopicRegistry topics;
    private final ScrapeCosts costs;

    public DetailedMetrics(MetricsConfig config, TopicRegistry topics, ScrapeCosts costs) {
        this.config = config;
        this.costs = costs;
        this.topics = topics;
    }

    @Override
    public CompletionStage<Response> get(Request request) {
        try {
            return scrape(request);
        } catch (IllegalArgumentException e) {
            return JsonPage.failure(400, String.valueOf(e.getMessage()));
        }
    }

    private CompletionStage<Response> scrape(Request request) {
        int most = Math.max(config.topics(), config.selectors());
        int top = AdminApi.number(request.parameters(), "top", most, 0, MetricsConfig.MAX);
        Set<String> names = Set.copyOf(request.parameters().getOrDefault("topic", List.of()));
        Collection<Topic> all = topics.topics();
        Collection<Topic> asked =
                names.isEmpty()
                        ? all
                        : all.stream().filter(topic -> names.contains(topic.name())).toList();
        Exposition.Page page =
                TopicMetrics.scrape(
                        asked,
                        Math.min(top, config.topics()),
                        Math.min(top, config.selectors()),
                        costs,
                        request.headers().accept());
        return CompletableFuture.completedStage(new Response(200, page.contentType(), page.text()));
    }
}
