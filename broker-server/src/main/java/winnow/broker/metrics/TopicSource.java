package winnow.broker.metrics;

import java.util.List;

/// What the metrics of a topic are read from. Thread-safe: all of it was published before, so that
/// no event loop has to answer.
public interface TopicSource {
    /// The topic's name, as clients give it.
    String name();

    /// How messages find their subscriptions: `indexed` or `linear`.
    String matching();

    /// What matching did for the topic since it appeared.
    MatchCounters matchCounters();

    /// Subscriptions that exist now.
    int subscriptionCount();

    /// Distinct selectors in the topic's index, 0 without one.
    int distinctSelectors();

    /// Distinct atoms in the topic's index and values that lead to them, 0 without one.
    int indexTerms();

    /// Whether the topic's producers are held back.
    boolean blocked();

    /// Producers that wait for the topic.
    int blockedProducers();

    /// Subscriptions that hold producers back.
    ///
    /// @param limit so many at most
    List<Culprit> culprits(int limit);

    /// The selectors that matching spends most time on, the costliest first, as of about a second
    /// ago; empty when nobody has asked for long.
    List<SelectorCost> costliestSelectors();
}
