package winnow.broker.matching;

import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Recipient;
import winnow.selector.index.Addition;
import winnow.selector.index.api.SubscriberHandle;

/// A subscription in its topic, with what the topic knows about it. Owned by the topic's owner
/// loop.
public final class Installed {
    /// Number within the topic, from 1, never used again; 0 while it is being added.
    public int number;

    public final Recipient recipient;
    public final SubscriptionFilter filter;

    /// While it is being added to the index, if it is found by one.
    @Nullable Addition<Recipient> addition;

    /// Place in the index, if it is found by one.
    public @Nullable SubscriberHandle<Recipient> entry;

    public Installed(Recipient recipient, SubscriptionFilter filter) {
        this.recipient = recipient;
        this.filter = filter;
    }

    public SubscriptionInfo info() {
        return new SubscriptionInfo(
                number,
                recipient.client(),
                filter.selector(),
                filter.correlationIdFilter(),
                recipient.backlogBytes());
    }
}
