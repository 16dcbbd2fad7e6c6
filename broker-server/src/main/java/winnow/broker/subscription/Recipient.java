package winnow.broker.subscription;

import org.jspecify.annotations.Nullable;
import winnow.broker.shard.DelayedFrom;

/// Possible recipient of the messages of a topic: what the topic's selector index finds. A class,
/// because a cast to a class costs less than one to an interface, and there is one per copy.
public abstract sealed class Recipient permits Subscription, StoredRecipient {
    private volatile DelayedFrom delayedFrom = DelayedFrom.ALL;

    /// True if a message of this producer may go to it. Any thread.
    ///
    /// @param producer null if it is none that is connected
    public abstract boolean wants(@Nullable Publisher producer);

    /// Sets which delayed messages it gets.
    public final void delayedFrom(DelayedFrom from) {
        delayedFrom = from;
    }

    final DelayedFrom delayedFrom() {
        return delayedFrom;
    }

    /// True if a message was not delayed, or is one of the delayed ones that it gets.
    final boolean existedFor(@Nullable Publisher producer) {
        return !(producer instanceof DelayedMessage delayed)
                || delayedFrom.includes(delayed.queue(), delayed.sequence());
    }

    /// The consumer, for people.
    public abstract String client();

    /// Bytes that wait for the client, where that is known here. Owner only.
    public abstract long backlogBytes();
}
