package winnow.broker.metrics;

/// What the metrics of a topic are read from. Thread-safe.
public interface TopicSource {
    String name();

    /// How messages find their subscriptions: `indexed` or `linear`.
    String matching();

    MatchCounters matchCounters();

    int subscriptionCount();

    /// Distinct selectors in the topic's index, 0 without one.
    int distinctSelectors();

    /// Distinct atoms in the topic's index and values that lead to them, 0 without one.
    int indexTerms();
}
