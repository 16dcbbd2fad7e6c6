package winnow.broker.metrics;

import static winnow.broker.metrics.Metric.counter;
import static winnow.broker.metrics.Metric.gauge;

import java.util.List;
import winnow.broker.metrics.Metric.Kind;

/// The metrics of `/metrics/detailed`: of single topics, selectors and consumers, which they name.
final class DetailMetrics {
    static final String TOPIC = "topic";
    static final String MATCHING = "matching";
    static final String SELECTOR = "selector";

    static final Metric MESSAGES =
            counter(
                    "winnow_topic_messages",
                    "Messages published to the topic.",
                    "when it stands still while winnow_topic_blocked is 1.",
                    TOPIC,
                    MATCHING);
    static final Metric MATCHES =
            counter(
                    "winnow_topic_matches",
                    "Subscriptions found for messages of the topic.",
                    "when it is 0: nobody receives what is published.",
                    TOPIC,
                    MATCHING);
    static final Metric PROBES =
            counter(
                    "winnow_topic_selector_probes",
                    "Values of the topic's messages for names that selectors in its index ask for.",
                    "",
                    TOPIC,
                    MATCHING);
    static final Metric CANDIDATES =
            counter(
                    "winnow_topic_selector_candidates",
                    "Distinct selectors that these values led to.",
                    "when it is many times winnow_topic_matches_total.",
                    TOPIC,
                    MATCHING);
    static final Metric EVALUATIONS =
            counter(
                    "winnow_topic_selector_evaluations",
                    "Selectors that were evaluated: all of them without an index, else candidates"
                            + " whose key does not say it all.",
                    "when it grows faster than winnow_topic_matches_total.",
                    TOPIC,
                    MATCHING);
    static final Metric MATCH =
            Metric.of(
                    Kind.SUMMARY,
                    "winnow_topic_match_seconds",
                    "Time to find the subscriptions of a message of the topic, extrapolated from"
                            + " one message in 256. Sum by count is the mean.",
                    "when the mean grows with the number of subscriptions.",
                    TOPIC,
                    MATCHING);
    static final Metric SUBSCRIPTIONS =
            gauge("winnow_topic_subscriptions", "Subscriptions of the topic.", "", TOPIC, MATCHING);
    static final Metric SELECTORS =
            gauge(
                    "winnow_topic_selectors",
                    "Distinct selectors in the topic's index.",
                    "",
                    TOPIC,
                    MATCHING);
    static final Metric TERMS =
            gauge(
                    "winnow_topic_index_terms",
                    "Distinct conditions in the topic's index, and values that lead to them; of"
                            + " ranges of numbers those that selectors are found by.",
                    "",
                    TOPIC,
                    MATCHING);
    static final Metric BLOCKED =
            gauge(
                    "winnow_topic_blocked",
                    "1 while the topic's producers are held back, else 0.",
                    "when it stays 1.",
                    TOPIC,
                    MATCHING);
    static final Metric BLOCKED_PRODUCERS =
            gauge(
                    "winnow_topic_producers_blocked",
                    "Producers that wait for the topic to be free.",
                    "when it stays above 0.",
                    TOPIC,
                    MATCHING);
    static final Metric CULPRIT_BYTES =
            gauge(
                    "winnow_topic_culprit_backlog_bytes",
                    "What waits for a subscription that holds the topic's producers back, for some"
                            + " of them. reason is the limit: subscription-buffer or"
                            + " total-buffer.",
                    "when the same consumer stays here: it is too slow, or hangs.",
                    TOPIC,
                    "consumer",
                    "reason");
    static final Metric SELECTOR_COST =
            gauge(
                    "winnow_selector_cost_seconds",
                    "Estimated time that one of the costliest selectors takes for a message of its"
                            + " topic, from late samples. Missing while there are none.",
                    "when one selector takes most of winnow_topic_match_seconds.",
                    TOPIC,
                    SELECTOR);
    static final Metric SELECTOR_CANDIDATES =
            gauge(
                    "winnow_selector_candidate_ratio",
                    "Part of late sampled messages whose values led to the selector, 0 to 1.",
                    "when it is near 1 and winnow_selector_match_ratio is not: it has no telling"
                            + " key.",
                    TOPIC,
                    SELECTOR);
    static final Metric SELECTOR_MATCHES =
            gauge(
                    "winnow_selector_match_ratio",
                    "Part of late sampled messages that the selector matched, 0 to 1: its hit"
                            + " rate.",
                    "",
                    TOPIC,
                    SELECTOR);

    static final List<Metric> ALL =
            List.of(
                    MESSAGES,
                    MATCHES,
                    PROBES,
                    CANDIDATES,
                    EVALUATIONS,
                    MATCH,
                    SUBSCRIPTIONS,
                    SELECTORS,
                    TERMS,
                    BLOCKED,
                    BLOCKED_PRODUCERS,
                    CULPRIT_BYTES,
                    SELECTOR_COST,
                    SELECTOR_CANDIDATES,
                    SELECTOR_MATCHES);

    private DetailMetrics() {}
}
