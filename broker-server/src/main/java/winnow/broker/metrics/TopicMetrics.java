package winnow.broker.metrics;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// The metrics of single topics, of their costliest selectors and of the consumers that hold
/// producers back. Thread-safe.
public final class TopicMetrics {
    private static final int MAX_LABEL_CHARS = 120;

    /// Consumers that are named for one topic.
    private static final int CULPRITS = 5;

    private TopicMetrics() {}

    /// @param messages published when it was looked at: sorting needs values that do not change
    private record Busy(TopicSource topic, long messages) {}

    /// @param load time spent on it so far in nanoseconds, if its messages were like those of late
    private record Costly(TopicSource topic, SelectorCost cost, double load) {}

    /// The metrics of the busiest of these topics.
    ///
    /// @param limit topics that are shown
    /// @param selectors selectors that are shown, of all these topics
    /// @param queues what waits in queues and stored subscriptions, shown with them
    /// @param accept the scraper's `Accept` header, empty if it has none
    public static Exposition.Page scrape(
            Collection<? extends TopicSource> topics,
            int limit,
            int selectors,
            QueueFigures queues,
            ScrapeCosts costs,
            String accept) {
        long start = System.nanoTime();
        Exposition page = new Exposition();
        topics.stream()
                .map(topic -> new Busy(topic, topic.matchCounters().messages.sum()))
                .sorted(
                        Comparator.comparingLong(Busy::messages)
                                .reversed()
                                .thenComparing(busy -> busy.topic().name()))
                .limit(limit)
                .forEach(busy -> add(busy.topic(), page));
        topics.stream()
                .flatMap(topic -> costly(topic).stream())
                .sorted(Comparator.comparingDouble(Costly::load).reversed())
                .limit(selectors)
                .forEach(one -> add(one, page));
        QueueMetrics.addTo(page, queues);
        Exposition.Page result = page.page(accept);
        costs.onDetails(System.nanoTime() - start);
        return result;
    }

    private static void add(TopicSource topic, Exposition page) {
        String name = topic.name();
        String matching = topic.matching();
        MatchCounters did = topic.matchCounters();
        long messages = did.messages.sum();
        page.value(DetailMetrics.MESSAGES, messages, name, matching);
        page.value(DetailMetrics.MATCHES, did.matches.sum(), name, matching);
        page.value(DetailMetrics.PROBES, did.probes.sum(), name, matching);
        page.value(DetailMetrics.CANDIDATES, did.candidates.sum(), name, matching);
        page.value(DetailMetrics.EVALUATIONS, did.evaluations.sum(), name, matching);
        double seconds = did.nanos.sum() / BrokerMetrics.NANOS_PER_SECOND;
        page.summary(DetailMetrics.MATCH, messages, seconds, name, matching);
        page.value(DetailMetrics.SUBSCRIPTIONS, topic.subscriptionCount(), name, matching);
        page.value(DetailMetrics.SELECTORS, topic.distinctSelectors(), name, matching);
        page.value(DetailMetrics.TERMS, topic.indexTerms(), name, matching);
        page.value(DetailMetrics.BLOCKED, topic.blocked() ? 1 : 0, name, matching);
        page.value(DetailMetrics.BLOCKED_PRODUCERS, topic.blockedProducers(), name, matching);
        for (Culprit culprit : topic.culprits(CULPRITS)) {
            page.value(
                    DetailMetrics.CULPRIT_BYTES,
                    culprit.backlogBytes(),
                    name,
                    culprit.consumer(),
                    ReasonCounters.label(culprit.reason()));
        }
    }

    private static List<Costly> costly(TopicSource topic) {
        long messages = topic.matchCounters().messages.sum();
        return topic.costliestSelectors().stream()
                .map(cost -> new Costly(topic, cost, cost.nanosPerMessage() * messages))
                .toList();
    }

    private static void add(Costly one, Exposition page) {
        String topic = one.topic().name();
        SelectorCost cost = one.cost();
        String selector = label(cost.selector());
        double seconds = cost.nanosPerMessage() / BrokerMetrics.NANOS_PER_SECOND;
        page.value(DetailMetrics.SELECTOR_COST, seconds, topic, selector);
        page.value(DetailMetrics.SELECTOR_CANDIDATES, cost.candidateRatio(), topic, selector);
        page.value(DetailMetrics.SELECTOR_MATCHES, cost.matchRatio(), topic, selector);
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
