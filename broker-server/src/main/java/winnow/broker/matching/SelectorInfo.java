package winnow.broker.matching;

import org.jspecify.annotations.Nullable;
import winnow.selector.index.api.SelectorReport;

/// The selector of a subscription and how it is doing.
///
/// @param report null if the topic has no index
public record SelectorInfo(
        SubscriptionInfo subscription,
        SubscriptionFilter filter,
        @Nullable SelectorReport report) {}
