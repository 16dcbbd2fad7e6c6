package winnow.broker.matching;

import org.jspecify.annotations.Nullable;
import winnow.selector.check.SelectorLimits;
import winnow.selector.engine.Selector;

/// Filter that a client asked for, as it wrote it. The topic keeps this and not the parsed form,
/// which takes several times the memory.
///
/// @param selector message selector, blank for none
/// @param correlationIdFilter empty for none
public record SubscriptionFilter(String selector, String correlationIdFilter) {
    public static final SubscriptionFilter NONE = new SubscriptionFilter("", "");

    /// True if every message passes.
    public boolean isEmpty() {
        return selector.isBlank() && correlationIdFilter.isEmpty();
    }

    /// Length of both texts.
    public int characters() {
        return selector.length() + correlationIdFilter.length();
    }

    /// Both as one selector, null if there is none.
    ///
    /// @throws winnow.selector.error.InvalidSelectorSyntaxException if one of them is wrong or
    ///   above a limit
    public @Nullable Selector parse(SelectorLimits limits) {
        Selector bySelector = selector.isBlank() ? null : Selector.parse(selector, limits);
        Selector byCorrelationId =
                correlationIdFilter.isEmpty()
                        ? null
                        : Selector.ofCorrelationId(correlationIdFilter, limits);
        if (bySelector == null || byCorrelationId == null) {
            return bySelector == null ? byCorrelationId : bySelector;
        }
        return Selector.and(bySelector, byCorrelationId);
    }
}
