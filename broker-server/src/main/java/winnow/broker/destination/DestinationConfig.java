package winnow.broker.destination;

/// Limits of topics and names, and how selectors are matched.
///
/// @param maxTopics topics that may exist at the same time; unused ones vanish by themselves
/// @param maxNameBytes longest name of a destination in UTF-8
/// @param maxPropertyNames property names that get a number, each of at most 255 bytes and all
///   together of 64 bytes for each; others travel inline
/// @param matching how a message finds its subscriptions
/// @param matchingByTopic topics for which that is otherwise
/// @param slowConsumers what is done about consumers that hold the producers of a topic back
public record DestinationConfig(
        int maxTopics,
        int maxNameBytes,
        int maxPropertyNames,
        MatchingMode matching,
        MatchingRules matchingByTopic,
        SlowConsumerRules slowConsumers) {
    public static final DestinationConfig DEFAULTS =
            new DestinationConfig(
                    10_000,
                    1024,
                    16_384,
                    MatchingMode.INDEXED,
                    MatchingRules.NONE,
                    SlowConsumerRules.NONE);

    public DestinationConfig {
        require("max-topics", maxTopics, 1);
        require("max-name-bytes", maxNameBytes, 1);
        require("max-property-names", maxPropertyNames, 0);
    }

    private static void require(String key, int value, int min) {
        if (value < min) {
            throw new IllegalArgumentException(
                    key + ": expected at least " + min + ", found " + value);
        }
    }
}
