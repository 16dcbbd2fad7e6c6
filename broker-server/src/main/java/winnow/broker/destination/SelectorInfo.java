package winnow.broker.destination;

import org.jspecify.annotations.Nullable;
import winnow.selector.Selector;
import winnow.selector.index.SelectorReport;

/// The selector of a subscription and how it is doing.
///
/// @param selector null if the subscription gets every message
/// @param report null if the topic has no index
public record SelectorInfo(
        SubscriptionInfo subscription,
        @Nullable Selector selector,
        @Nullable SelectorReport report) {}
