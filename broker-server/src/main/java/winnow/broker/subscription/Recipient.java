package winnow.broker.subscription;

import org.jspecify.annotations.Nullable;

/// Who may get the messages of a topic: what the topic's selector index finds.
public sealed interface Recipient permits Subscription, StoredRecipient {
    /// Whether a message of this producer may go to it. Any thread.
    ///
    /// @param producer null if it is none that is connected
    boolean wants(@Nullable DeliveryTarget producer);

    /// The consumer, for people.
    String client();

    /// Bytes that wait for the client, where that is known here. Owner only.
    long backlogBytes();
}
