package winnow.broker.routing;

import org.jspecify.annotations.Nullable;
import winnow.broker.destination.Topic;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Recipients;
import winnow.wire.MessageBlock;

/// Outcome of one match. Each loop has one, which the next match fills anew: whoever is given it
/// reads it before it returns, or begins another match. Owned by the loop of a [Router].
public final class MatchResult {
    private static final MessageBlock NO_BLOCK = new MessageBlock();

    private MessageBlock block = NO_BLOCK;
    private Handing ended;

    /// Null for a message that is to be stored, for nobody who has a selector here.
    private @Nullable Topic topic;

    /// @param handing of the loop
    MatchResult(Handing handing) {
        ended = handing;
    }

    /// @param ofMessage null as [#topic]
    void set(@Nullable Topic ofMessage, MessageBlock message, Handing handing) {
        // What stays as it is costs nothing: a message may take 40 ns in all.
        if (topic != ofMessage) {
            topic = ofMessage;
        }
        if (block != message) {
            block = message;
        }
        if (ended != handing) {
            ended = handing;
        }
    }

    /// Forgets the message and its topic.
    void clear() {
        topic = null;
        block = NO_BLOCK;
    }

    /// The message; borrowed.
    public MessageBlock block() {
        return block;
    }

    /// Subscriptions with a selector for which the message is to be stored, null if it is to be
    /// stored for nobody.
    public @Nullable Recipients recipients() {
        return topic == null ? Recipients.NONE : ended.recipients(topic);
    }

    /// True if live subscriptions want the message.
    public boolean live() {
        return topic != null && ended.copies() > 0;
    }

    /// Largest number of a property name in the message, 0 if it uses none.
    public int maxNameId() {
        return ended.context().maxNameId();
    }

    /// Headers to store the message with, null if it is to be stored for nobody.
    public @Nullable MessageHeaders headers() {
        Recipients stored = recipients();
        return stored == null
                ? null
                : MessageHeaders.of(block, stored, maxNameId(), ended.context().special());
    }
}
