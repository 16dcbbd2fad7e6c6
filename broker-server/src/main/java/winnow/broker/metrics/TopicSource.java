package winnow.broker.metrics;

import java.util.List;

/// Source of the metrics of a topic. Thread-safe: all of it was published before, so that no event
/// loop has to answer.
public interface TopicSource {
    /// The topic's name, as clients give it.
    String name();

    /// Way in which messages find their subscriptions: `indexed` or `linear`.
    String matching();

    /// Effort of matching for the topic since it appeared.
    MatchCounters matchCounters();

    /// Subscriptions that exist now.
    int subscriptionCount();

    /// Distinct selectors in the topic's index, 0 without one.
    int distinctSelectors();

    /// Distinct atoms in the topic's index and values that lead to them, 0 without one.
    int indexTerms();

    /// True if the topic's producers are held back.
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
