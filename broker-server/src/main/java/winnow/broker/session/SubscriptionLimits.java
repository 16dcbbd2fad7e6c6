package winnow.broker.session;

import winnow.broker.matching.SubscriptionFilter;

/// Counts the subscriptions and consumers of one connection, live ones and those of sessions, and
/// the characters of their selectors. Owned by the connection's event loop.
final class SubscriptionLimits {
    private final SessionContext context;
    private int subscriptions;
    private int selectorCharacters;

    SubscriptionLimits(SessionContext context) {
        this.context = context;
    }

    /// Checks that there is room for one more.
    ///
    /// @throws winnow.broker.matching.RefusedException naming the limit, if there is none
    void check(SubscriptionFilter filter) {
        SessionConfig config = context.config();
        if (subscriptions >= config.maxSubscriptions()) {
            throw ConnectionLimit.exceeded(
                    "subscriptions and consumers",
                    "session.max-subscriptions",
                    config.maxSubscriptions(),
                    subscriptions + 1L);
        }
        long characters = selectorCharacters + (long) filter.characters();
        if (characters > config.maxSelectorCharacters()) {
            throw ConnectionLimit.exceeded(
                    "characters of selectors and filters",
                    "session.max-selector-characters",
                    config.maxSelectorCharacters(),
                    characters);
        }
    }

    void add(SubscriptionFilter filter) {
        subscriptions++;
        selectorCharacters += filter.characters();
    }

    void remove(SubscriptionFilter filter) {
        subscriptions--;
        selectorCharacters -= filter.characters();
    }
}
