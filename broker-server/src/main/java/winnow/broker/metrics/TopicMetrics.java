package winnow.broker.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// The metrics of single topics, for so many of them as a limit allows: those that have metrics
/// keep them until they vanish, the busiest of the others take the free places. Not thread-safe.
final class TopicMetrics {
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

    private final MeterRegistry registry;
    private final int limit;
    private final Map<TopicSource, List<Meter>> shown = new HashMap<>();

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

    /// @param limit topics that have metrics
    TopicMetrics(MeterRegistry registry, int limit) {
        this.registry = registry;
        this.limit = limit;
    }

    /// Makes the metrics of topics that came and drops those of topics that went.
    void update(Collection<? extends TopicSource> topics) {
        Set<TopicSource> present = new HashSet<>(topics);
        shown.entrySet()
                .removeIf(entry -> {
                    boolean gone = !present.contains(entry.getKey());
                    if (gone) {
                        entry.getValue().forEach(registry::remove);
                    }
                    return gone;
                });
        topics.stream()
                .filter(topic -> !shown.containsKey(topic))
                .sorted(
                        Comparator.comparingLong(
                                (TopicSource topic) -> -topic.matchCounters().messages.sum()))
                .limit(limit - shown.size())
                .forEach(topic -> shown.put(topic, register(topic)));
    }

    private List<Meter> register(TopicSource topic) {
        List<Meter> meters = new ArrayList<>();
        for (Count count : COUNTS) {
            meters.add(
                    FunctionCounter.builder(count.name, topic.matchCounters(), count.value)
                            .description(count.description)
                            .baseUnit(count.unit)
                            .tags(tags(topic))
                            .register(registry));
        }
        for (Size size : SIZES) {
            meters.add(
                    Gauge.builder(size.name, topic, size.value)
                            .description(size.description)
                            .tags(tags(topic))
                            .register(registry));
        }
        return meters;
    }

    private static Tags tags(TopicSource topic) {
        return Tags.of("topic", topic.name(), "matching", topic.matching());
    }
}
