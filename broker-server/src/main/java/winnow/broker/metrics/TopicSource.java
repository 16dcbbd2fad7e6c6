package winnow.broker.metrics;

import java.util.List;
import java.util.concurrent.CompletionStage;

/// What the metrics of a topic are read from. Thread-safe.
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

    /// The selectors that matching spends most time on, the costliest first.
    ///
    /// @param limit so many at most
    /// @return fails if the topic's event loop does not answer in time
    CompletionStage<List<SelectorCost>> costliestSelectors(int limit);
}
