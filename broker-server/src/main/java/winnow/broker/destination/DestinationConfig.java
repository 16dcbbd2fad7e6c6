package winnow.broker.destination;

import winnow.broker.config.Ranges;
import winnow.broker.config.Setting;
import winnow.broker.matching.MatchingMode;
import winnow.broker.matching.MatchingRules;
import winnow.broker.matching.PropertyLimits;
import winnow.selector.check.SelectorLimits;

/// Limits of topics and names, and how selectors are matched.
public record DestinationConfig(
        @Setting(
                        value =
                                "topics that may exist at the same time; unused ones"
                                        + " vanish by themselves",
                        unit = "topics",
                        min = "1",
                        reloadable = true)
                int maxTopics,
        @Setting(
                        value = "longest name of a destination in UTF-8",
                        unit = "bytes",
                        min = "1",
                        reloadable = true)
                int maxNameBytes,
        @Setting(
                        value =
                                "property names that get a number, each of at most 255"
                                        + " bytes and all together of 64 bytes for each; others"
                                        + " travel inline",
                        unit = "names",
                        min = "0")
                int maxPropertyNames,
        @Setting(
                        value =
                                "longest string in a property, correlation ID or"
                                        + " JMSType, in UTF-8; a message with a longer one is"
                                        + " refused",
                        unit = "bytes",
                        min = "8")
                int maxPropertyBytes,
        @Setting(
                        value =
                                "properties that a message may have; a message with more is"
                                        + " refused",
                        unit = "properties",
                        min = "1")
                int maxProperties,
        @Setting(
                        value =
                                "how many bytes of strings (properties, correlation ID and"
                                        + " JMSType) one selector may go through for one message,"
                                        + " about 2 ns each; a selector that could go through more"
                                        + " is refused; at least `destination.max-property-bytes`",
                        unit = "bytes",
                        min = "8")
                int maxScannedBytes,
        @Setting(
                        "how a message finds its subscriptions: by an index of"
                                + " their selectors, or by trying one after the other")
                MatchingMode matching,
        @Setting(
                        value =
                                "topics for which `destination.matching` is otherwise; `*` stands"
                                        + " for any text",
                        unit = "TOPIC=indexed or TOPIC=linear, joined by commas")
                MatchingRules matchingByTopic,
        @Setting(
                        value =
                                "what is done about a live consumer for which more waits than"
                                        + " `subscription.buffer`: spill lets it wait, on the disk"
                                        + " if there is one, while everybody else goes on; block"
                                        + " holds the topic's producers back; the others do so for"
                                        + " a time, and drop messages or disconnect it then; `*`"
                                        + " stands for any text, topics without a rule spill; new"
                                        + " rules are for new subscriptions",
                        unit =
                                "TOPIC=spill, TOPIC=block, TOPIC=drop-oldest:TIME or"
                                        + " TOPIC=disconnect:TIME, joined by commas",
                        reloadable = true)
                SlowConsumerRules slowConsumers) {
    public static final DestinationConfig DEFAULTS =
            new DestinationConfig(
                    10_000,
                    1024,
                    16_384,
                    SelectorLimits.DEFAULT.maxStringBytes(),
                    4096,
                    SelectorLimits.DEFAULT.maxScannedBytes(),
                    MatchingMode.INDEXED,
                    MatchingRules.NONE,
                    SlowConsumerRules.NONE);

    public DestinationConfig {
        Ranges.check(
                DestinationConfig.class,
                maxTopics,
                maxNameBytes,
                maxPropertyNames,
                maxPropertyBytes,
                maxProperties,
                maxScannedBytes,
                matching,
                matchingByTopic,
                slowConsumers);
        if (maxScannedBytes < maxPropertyBytes) {
            throw new IllegalArgumentException(
                    "max-scanned-bytes: expected at least "
                            + maxPropertyBytes
                            + ", as destination.max-property-bytes, found "
                            + maxScannedBytes);
        }
    }

    /// Limits of the properties of a message.
    public PropertyLimits propertyLimits() {
        return new PropertyLimits(maxPropertyBytes, maxProperties);
    }

    /// Limits of the selector of a subscription.
    public SelectorLimits selectorLimits() {
        return SelectorLimits.DEFAULT.withScans(maxPropertyBytes, maxScannedBytes);
    }
}
