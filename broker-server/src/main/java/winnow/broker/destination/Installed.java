package winnow.broker.destination;

import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Subscription;
import winnow.selector.index.Addition;
import winnow.selector.index.Entry;

/// A subscription in its topic, with what the topic knows about it. Owned by the topic's owner
/// loop.
final class Installed {
    /// Number within the topic, from 1, never used again; 0 while it is being added.
    int number;

    final Subscription subscription;
    final SubscriptionFilter filter;

    /// While it is being added to the index, if the topic has one.
    @Nullable Addition<Subscription> addition;

    /// Where it is in the index, if the topic has one.
    @Nullable Entry<Subscription> entry;

    Installed(Subscription subscription, SubscriptionFilter filter) {
        this.subscription = subscription;
        this.filter = filter;
    }

    SubscriptionInfo info() {
        return new SubscriptionInfo(
                number,
                subscription.target().toString(),
                filter.selector(),
                filter.correlationIdFilter(),
                subscription.backlogBytes());
    }
}
