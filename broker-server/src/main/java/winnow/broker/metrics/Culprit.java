package winnow.broker.metrics;

/// A subscription that holds the producers of its topic back.
///
/// @param consumer whose it is, for people
/// @param reason which limit is exceeded
/// @param backlogBytes what waits for it
public record Culprit(String consumer, BlockReason reason, long backlogBytes) {}
