package winnow.broker.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The metrics of the selectors that matching spends most time on. Not thread-safe.
final class SelectorMetrics {
    private static final Logger LOG = LoggerFactory.getLogger(SelectorMetrics.class);
    private static final int MAX_LABEL_CHARS = 120;
    private static final double NANOS_PER_SECOND = 1e9;

    private final MultiGauge gauge;
    private final int limit;
    private volatile List<Candidate> candidates = List.of();

    /// @param limit selectors that are shown, of all topics
    SelectorMetrics(MeterRegistry registry, int limit) {
        this.limit = limit;
        this.gauge =
                MultiGauge.builder(MetricNames.SELECTOR_COST)
                        .description(
                                "Mean time that one of the costliest selectors takes for a"
                                        + " message of its topic, from samples")
                        .baseUnit("seconds")
                        .register(registry);
    }

    /// @param load time spent on it so far in nanoseconds, if its messages were like those of late
    private record Candidate(TopicSource topic, SelectorCost cost, double load) {}

    /// Asks the topics for their costliest selectors.
    CompletionStage<Void> update(Collection<? extends TopicSource> topics) {
        List<CompletableFuture<List<Candidate>>> asked =
                topics.stream().map(topic -> ask(topic).toCompletableFuture()).toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenRun(() -> candidates = all(asked));
    }

    private CompletionStage<List<Candidate>> ask(TopicSource topic) {
        long messages = topic.matchCounters().messages.sum();
        if (messages == 0 || limit == 0) {
            return CompletableFuture.completedStage(List.of());
        }
        return topic.costliestSelectors(limit)
                .thenApply(costs ->
                        costs.stream()
                                .map(cost ->
                                        new Candidate(
                                                topic, cost, cost.nanosPerMessage() * messages))
                                .toList())
                .exceptionally(error -> {
                    LOG.debug("No selectors of {}: {}", topic.name(), error.toString());
                    return List.of();
                });
    }

    private static List<Candidate> all(List<CompletableFuture<List<Candidate>>> answers) {
        return answers.stream().flatMap(one -> one.join().stream()).toList();
    }

    /// Shows those on which most time was spent.
    void show() {
        List<Row<?>> rows =
                candidates.stream()
                        .sorted(Comparator.comparingDouble(Candidate::load).reversed())
                        .limit(limit)
                        .<Row<?>>map(SelectorMetrics::row)
                        .toList();
        gauge.register(rows, true);
    }

    private static Row<?> row(Candidate candidate) {
        Tags tags =
                Tags.of(
                        "topic",
                        candidate.topic().name(),
                        "selector",
                        label(candidate.cost().selector()));
        return Row.of(tags, candidate.cost().nanosPerMessage() / NANOS_PER_SECOND);
    }

    /// A long text is cut; what tells it from others that begin alike is its hash.
    private static String label(String selector) {
        if (selector.length() <= MAX_LABEL_CHARS) {
            return selector;
        }
        return selector.substring(0, MAX_LABEL_CHARS)
                + "... #"
                + Integer.toHexString(selector.hashCode());
    }
}
