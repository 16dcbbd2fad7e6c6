package winnow.broker.session;

import winnow.broker.destination.RefusedException;
import winnow.broker.destination.SubscriptionFilter;
import winnow.wire.ErrorCode;

/// How many subscriptions and consumers one connection has, live ones and those of sessions, with
/// how long selectors. Owned by the connection's event loop.
final class SubscriptionLimits {
    private final SessionContext context;
    private int subscriptions;
    private int selectorCharacters;

    SubscriptionLimits(SessionContext context) {
        this.context = context;
    }

    /// Whether there is room for one more.
    ///
    /// @throws RefusedException naming the limit, if there is none
    void check(SubscriptionFilter filter) {
        SessionConfig config = context.config();
        if (subscriptions >= config.maxSubscriptions()) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "session.max-subscriptions is " + config.maxSubscriptions());
        }
        if (selectorCharacters + (long) filter.characters() > config.maxSelectorCharacters()) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "session.max-selector-characters is " + config.maxSelectorCharacters());
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
