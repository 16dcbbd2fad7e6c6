package winnow.broker.destination;

import winnow.selector.SelectorLimits;

/// Limits of topics and names, and how selectors are matched.
///
/// @param maxTopics topics that may exist at the same time; unused ones vanish by themselves
/// @param maxNameBytes longest name of a destination in UTF-8
/// @param maxPropertyNames property names that get a number, each of at most 255 bytes and all
///   together of 64 bytes for each; others travel inline
/// @param maxPropertyBytes longest string in a property, correlation ID or JMSType, in UTF-8; a
///   message with a longer one is refused
/// @param maxScannedBytes how many bytes of such strings one selector may go through for one
///   message, about 2 ns each; one that could go through more is refused
/// @param matching how a message finds its subscriptions
/// @param matchingByTopic topics for which that is otherwise
/// @param slowConsumers what is done about consumers that hold the producers of a topic back
public record DestinationConfig(
        int maxTopics,
        int maxNameBytes,
        int maxPropertyNames,
        int maxPropertyBytes,
        int maxScannedBytes,
        MatchingMode matching,
        MatchingRules matchingByTopic,
        SlowConsumerRules slowConsumers) {
    public static final DestinationConfig DEFAULTS =
            new DestinationConfig(
                    10_000,
                    1024,
                    16_384,
                    SelectorLimits.DEFAULT.maxStringBytes(),
                    SelectorLimits.DEFAULT.maxScannedBytes(),
                    MatchingMode.INDEXED,
                    MatchingRules.NONE,
                    SlowConsumerRules.NONE);

    public DestinationConfig {
        require("max-topics", maxTopics, 1);
        require("max-name-bytes", maxNameBytes, 1);
        require("max-property-names", maxPropertyNames, 0);
        require("max-property-bytes", maxPropertyBytes, Long.BYTES);
        require("max-scanned-bytes", maxScannedBytes, maxPropertyBytes);
    }

    /// What a selector of a subscription may ask for.
    public SelectorLimits selectorLimits() {
        return SelectorLimits.DEFAULT.withScans(maxPropertyBytes, maxScannedBytes);
    }

    private static void require(String key, int value, int min) {
        if (value < min) {
            throw new IllegalArgumentException(
                    key + ": expected at least " + min + ", found " + value);
        }
    }
}
