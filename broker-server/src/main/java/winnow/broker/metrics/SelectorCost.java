package winnow.broker.metrics;

/// Cost of a selector, known from samples.
///
/// @param selector in the form that identical selectors share
/// @param nanosPerMessage what it takes, mean over all messages of the topic
/// @param candidateRatio part of the messages whose values led to it, 0 to 1
/// @param matchRatio part of the messages that it matched, 0 to 1
public record SelectorCost(
        String selector, double nanosPerMessage, double candidateRatio, double matchRatio) {}
