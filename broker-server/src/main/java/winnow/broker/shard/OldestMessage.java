package winnow.broker.shard;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import winnow.wire.MessageBlock;

/// Tells since when a subscription has a message that is not acknowledged. It knows the times of
/// messages in memory, and those that [OldestMessages] has read. Owned by its shard.
final class OldestMessage {
    private final StoredSubscription subscription;

    /// Of the first message that is not acknowledged, null if it has not been looked at.
    private @Nullable Times first;

    /// Of the first message that waits for a consumer, if the other one is for later.
    private @Nullable Times available;

    /// @param sent in ms since 1970, 0 if that is not known
    /// @param due before which it is not delivered, 0 for at once
    private record Times(long sequence, long sent, long due) {
        static Times of(long sequence, byte[] head) {
            MessageBlock block = new MessageBlock();
            block.parseFields(head, 0, head.length);
            return new Times(sequence, block.timestamp(), block.deliveryTime());
        }
    }

    OldestMessage(StoredSubscription subscription) {
        this.subscription = subscription;
    }

    /// When the first message was sent, in ms since 1970; empty if that is not known.
    OptionalLong sent() {
        Times times = first();
        return times == null || times.sent == 0
                ? OptionalLong.empty()
                : OptionalLong.of(times.sent);
    }

    /// Since when a message could have been delivered, in ms since 1970: the first one, or if that
    /// is for later the first one that waits for a consumer. Empty if that is not known.
    OptionalLong waitingSince(long nowMillis) {
        Times times = first();
        if (times != null && times.due > nowMillis && subscription.waiting().count() > 0) {
            times = available();
        }
        return times == null || times.sent == 0
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(times.sent, times.due));
    }

    /// The message whose head must be read before all is known; -1 if there is none.
    long unread(long nowMillis) {
        if (subscription.messages() == 0) {
            return -1;
        }
        Times times = first();
        if (times == null) {
            return subscription.head();
        }
        return times.due > nowMillis && subscription.waiting().count() > 0 && available() == null
                ? firstAvailable()
                : -1;
    }

    /// The head of a message was read.
    void onHead(long sequence, byte[] head) {
        keep(Times.of(sequence, head));
    }

    /// The head of a message cannot be read; it is not asked for again.
    void onUnreadable(long sequence) {
        keep(new Times(sequence, 0, 0));
    }

    private void keep(Times times) {
        if (times.sequence == subscription.head()) {
            first = times;
        } else {
            available = times;
        }
    }

    private @Nullable Times first() {
        if (subscription.messages() == 0) {
            return null;
        }
        first = times(subscription.head(), first);
        return first;
    }

    private @Nullable Times available() {
        available = times(firstAvailable(), available);
        return available;
    }

    private long firstAvailable() {
        return subscription.waiting().oldest(1)[0];
    }

    private @Nullable Times times(long sequence, @Nullable Times known) {
        if (known != null && known.sequence == sequence) {
            return known;
        }
        StoredMessage message = subscription.destination().inWindow(sequence);
        return message == null ? null : Times.of(sequence, message.block);
    }
}
