package winnow.broker.metrics;

/// What a selector costs.
///
/// @param selector in the form that identical selectors share
/// @param nanosPerMessage mean over all messages of the topic, from samples
public record SelectorCost(String selector, double nanosPerMessage) {}
