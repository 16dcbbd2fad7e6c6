package winnow.broker.destination;

import org.jspecify.annotations.Nullable;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Recipients;
import winnow.broker.subscription.DeliveryTarget;
import winnow.wire.MessageBlock;

/// A message whose recipients are not all found, because that takes longer than the turn of the
/// loop: those found so far got it, the others do when [#step] comes to them. Its producer's next
/// message must not be routed before it has ended. Owned by the loop of its [Router].
public final class LongMatch {
    private final Router router;
    private final Topic topic;
    private final MessageBlock block;
    private final @Nullable DeliveryTarget producer;
    private final boolean live;

    /// Null before it has begun, and when it has ended.
    private @Nullable Handing handing;

    private boolean begun;

    /// Whether it has ended or was given up.
    private boolean forgotten;

    private @Nullable MessageHeaders headers;
    private boolean matchedLive;

    /// @param block a view of its own
    /// @param live whether live subscriptions get it
    /// @param handing what was found so far, null if it has not begun
    LongMatch(
            Router router,
            Topic topic,
            MessageBlock block,
            @Nullable DeliveryTarget producer,
            boolean live,
            @Nullable Handing handing) {
        this.router = router;
        this.topic = topic;
        this.block = block;
        this.producer = producer;
        this.live = live;
        this.handing = handing;
        this.begun = handing != null;
    }

    public Topic topic() {
        return topic;
    }

    /// The message.
    public MessageBlock block() {
        return block;
    }

    /// Finds more recipients, for less than a tenth of a millisecond or so, or up to a millisecond
    /// if the message is large.
    ///
    /// @return whether there are more to find
    public boolean step() {
        Handing mine = handing;
        if (mine == null) {
            mine = router.suspendedMatches().takeSpare();
            if (mine == null) {
                return true;
            }
            router.begin(mine, topic, block, producer, live);
            handing = mine;
        }
        boolean ended = router.proceed(topic, block, mine, begun);
        if (handing != mine) {
            // What was delivered has closed the producer's connection.
            return false;
        }
        begun = true;
        if (ended) {
            headers = headers(mine);
            matchedLive = mine.copies() > 0;
            handing = null;
            router.suspendedMatches().giveBack(mine);
            forget();
        }
        return !ended;
    }

    /// Gives back the memory that the message was charged with.
    private void forget() {
        if (!forgotten) {
            forgotten = true;
            router.suspendedMatches().forget(block);
        }
    }

    private @Nullable MessageHeaders headers(Handing ended) {
        Recipients recipients = ended.recipients(topic);
        MatchContext context = ended.context();
        return recipients == null
                ? null
                : MessageHeaders.of(block, recipients, context.maxNameId(), context.special());
    }

    /// What it is to be stored with, null if it is to be stored for nobody; when it has ended.
    public @Nullable MessageHeaders headers() {
        return headers;
    }

    /// Whether live subscriptions want it; when it has ended.
    public boolean matchedLive() {
        return matchedLive;
    }

    /// Ends it before all recipients have the message: its producer has gone.
    public void abandon() {
        Handing mine = handing;
        if (mine != null) {
            handing = null;
            mine.context().abandon();
            router.suspendedMatches().giveBack(mine);
        } else if (!begun && !forgotten) {
            router.suspendedMatches().stopWaiting();
        }
        forget();
    }
}
