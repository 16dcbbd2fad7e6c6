package winnow.broker.destination;

import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Recipient;
import winnow.selector.index.Addition;
import winnow.selector.index.Entry;

/// A subscription in its topic, with what the topic knows about it. Owned by the topic's owner
/// loop.
final class Installed {
    /// Number within the topic, from 1, never used again; 0 while it is being added.
    int number;

    final Recipient recipient;
    final SubscriptionFilter filter;

    /// While it is being added to the index, if it is found by one.
    @Nullable Addition<Recipient> addition;

    /// Where it is in the index, if it is found by one.
    @Nullable Entry<Recipient> entry;

    Installed(Recipient recipient, SubscriptionFilter filter) {
        this.recipient = recipient;
        this.filter = filter;
    }

    SubscriptionInfo info() {
        return new SubscriptionInfo(
                number,
                recipient.client(),
                filter.selector(),
                filter.correlationIdFilter(),
                recipient.backlogBytes());
    }
}
