package winnow.selector.index.node;

/// Record of a node that has no statistics. Immutable; nodes that come between two sampled messages
/// share one.
///
/// @param since how many messages had been sampled when the node came or ceased to be observed
public record Unobserved(long since) {}
