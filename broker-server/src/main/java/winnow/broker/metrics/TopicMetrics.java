package winnow.broker.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// The metrics of single topics and of their costliest selectors, in Prometheus' text form: of the
/// busiest topics, as far as a limit allows. Not thread-safe.
public final class TopicMetrics {
    private static final double NANOS_PER_SECOND = 1e9;

    private static final List<Count> COUNTS =
            List.of(
                    new Count(MetricNames.TOPIC_MESSAGES, "Messages published", c -> c.messages),
                    new Count(MetricNames.TOPIC_MATCHES, "Subscriptions found", c -> c.matches),
                    new Count(MetricNames.TOPIC_PROBES, "Values looked up", c -> c.probes),
                    new Count(
                            MetricNames.TOPIC_CANDIDATES,
                            "Distinct selectors that values led to",
                            c -> c.candidates),
                    new Count(
                            MetricNames.TOPIC_EVALUATIONS,
                            "Selectors evaluated",
                            c -> c.evaluations),
                    new Count(
                            MetricNames.TOPIC_MATCH_TIME,
                            "Time spent finding subscriptions, from samples",
                            "seconds",
                            c -> c.nanos.sum() / NANOS_PER_SECOND));

    private static final List<Size> SIZES =
            List.of(
                    new Size(
                            MetricNames.TOPIC_SUBSCRIPTIONS,
                            "Subscriptions",
                            TopicSource::subscriptionCount),
                    new Size(
                            MetricNames.TOPIC_SELECTORS,
                            "Distinct selectors in the index",
                            TopicSource::distinctSelectors),
                    new Size(
                            MetricNames.TOPIC_TERMS,
                            "Distinct atoms in the index, and values that lead to them",
                            TopicSource::indexTerms));

    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private record Count(
            String name,
            String description,
            @Nullable String unit,
            ToDoubleFunction<MatchCounters> value) {
        Count(String name, String description, Function<MatchCounters, LongAdder> counter) {
            this(name, description, null, counters -> counter.apply(counters).sum());
        }
    }

    private record Size(String name, String description, ToDoubleFunction<TopicSource> value) {}

    private TopicMetrics() {}

    /// The metrics as text.
    ///
    /// @param limit topics that are shown
    /// @param selectors selectors that are shown, of all these topics
    public static CompletionStage<String> scrape(
            Collection<? extends TopicSource> topics, int limit, int selectors) {
        TopicMetrics metrics = new TopicMetrics();
        topics.stream()
                .sorted(
                        Comparator.comparingLong((TopicSource topic) ->
                                        -topic.matchCounters().messages.sum())
                                .thenComparing(TopicSource::name))
                .limit(limit)
                .forEach(metrics::register);
        SelectorMetrics costs = new SelectorMetrics(metrics.registry, selectors);
        return costs.update(topics)
                .thenApply(_ -> {
                    costs.show();
                    String text = metrics.registry.scrape();
                    metrics.registry.close();
                    return text;
                });
    }

    private void register(TopicSource topic) {
        for (Count count : COUNTS) {
            FunctionCounter.builder(count.name, topic.matchCounters(), count.value)
                    .description(count.description)
                    .baseUnit(count.unit)
                    .tags(tags(topic))
                    .register(registry);
        }
        for (Size size : SIZES) {
            Gauge.builder(size.name, topic, size.value)
                    .description(size.description)
                    .tags(tags(topic))
                    .register(registry);
        }
    }

    private static Tags tags(TopicSource topic) {
        return Tags.of("topic", topic.name(), "matching", topic.matching());
    }
}
