package winnow.broker.destination;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Recipients;
import winnow.broker.subscription.LiveBody;
import winnow.broker.subscription.Publisher;
import winnow.broker.subscription.Subscription;
import winnow.wire.MessageBlock;

/// A message whose recipients are not all found, because that takes longer than the turn of the
/// loop: those found so far got it, the others do when [#step] comes to them. Its producer's next
/// message must not be routed before it has ended. Owned by the loop of its [Router].
public final class LongMatch {
    private final Router router;
    private final Topic topic;
    private final MessageBlock block;
    private final @Nullable Publisher producer;
    private final boolean live;

    /// They have it from a match that was given up.
    private final Set<Subscription> served;

    /// In parts, null if the block has it.
    private final @Nullable LiveBody body;

    /// Null before it has begun, and when it has ended.
    private @Nullable Handing handing;

    private boolean begun;

    /// Whether it has to wait for scratch space.
    private boolean waiting;

    private @Nullable MessageHeaders headers;
    private boolean matchedLive;
    private int maxNameId;

    /// One that has begun.
    ///
    /// @param block a view of its own; its array is never changed
    /// @param handing what was found so far, and whose scratch space it is
    LongMatch(
            Router router,
            Topic topic,
            MessageBlock block,
            @Nullable Publisher producer,
            Handing handing) {
        this(router, topic, block, producer, handing.live(), Set.of(), null);
        this.handing = handing;
        this.begun = true;
        this.waiting = false;
    }

    /// One that has to wait for scratch space.
    ///
    /// @param block a view of its own; its array is never changed
    /// @param live whether live subscriptions get it
    /// @param served but for these, which have it
    /// @param body in parts, null if the block has it
    LongMatch(
            Router router,
            Topic topic,
            MessageBlock block,
            @Nullable Publisher producer,
            boolean live,
            Set<Subscription> served,
            @Nullable LiveBody body) {
        this.body = body;
        this.router = router;
        this.topic = topic;
        this.block = block;
        this.producer = producer;
        this.live = live;
        this.served = served;
        this.waiting = true;
    }

    public Topic topic() {
        return topic;
    }

    /// The message.
    public MessageBlock block() {
        return block;
    }

    /// Finds more recipients, for less than a tenth of a millisecond or so.
    ///
    /// @return whether there are more to find
    public boolean step() {
        Handing mine = handing;
        if (mine == null) {
            mine = router.suspendedMatches().takeSpare();
            if (mine == null) {
                return true;
            }
            waiting = false;
            handing = mine;
            router.begin(mine, topic, block, producer, live);
            if (body != null) {
                mine.inParts(body);
            }
            if (handing != mine) {
                // What was delivered before has closed the producer's connection.
                return false;
            }
            if (!served.isEmpty()) {
                mine.served(served);
            }
            mine.comeInSteps();
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
            maxNameId = mine.context().maxNameId();
            handing = null;
            router.suspendedMatches().giveBack(mine);
        }
        return !ended;
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

    /// Largest number of a property name in the message; when it has ended.
    public int maxNameId() {
        return maxNameId;
    }

    /// Ends it before all recipients have the message: its producer has gone.
    public void abandon() {
        Handing mine = handing;
        if (mine != null) {
            handing = null;
            mine.context().abandon();
            router.suspendedMatches().giveBack(mine);
        } else if (waiting) {
            waiting = false;
            router.suspendedMatches().stopWaiting();
        }
    }
}
