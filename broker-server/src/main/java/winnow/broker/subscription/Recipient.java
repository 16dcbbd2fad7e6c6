package winnow.broker.subscription;

import org.jspecify.annotations.Nullable;

/// Who may get the messages of a topic: what the topic's selector index finds. A class, because a
/// cast to a class costs less than one to an interface, and there is one per copy.
public abstract sealed class Recipient permits Subscription, StoredRecipient {
    /// Whether a message of this producer may go to it. Any thread.
    ///
    /// @param producer null if it is none that is connected
    public abstract boolean wants(@Nullable DeliveryTarget producer);

    /// The consumer, for people.
    public abstract String client();

    /// Bytes that wait for the client, where that is known here. Owner only.
    public abstract long backlogBytes();
}
