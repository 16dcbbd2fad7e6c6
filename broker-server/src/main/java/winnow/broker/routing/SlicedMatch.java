package winnow.broker.routing;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.Topic;
import winnow.broker.subscription.LiveBody;
import winnow.broker.subscription.Publisher;
import winnow.broker.subscription.Subscription;
import winnow.wire.MessageBlock;

/// A message whose recipients are not all found, because that takes longer than the turn of the
/// loop: those found so far got it, the others do when [#step] comes to them. Its producer's next
/// message must not be matched before it has ended. Owned by the loop of its [Router].
public final class SlicedMatch {
    private final Router router;
    private final Topic topic;
    private final MessageBlock block;
    private final @Nullable Publisher producer;
    private final Audience audience;

    /// In parts, null if the block has it.
    private final @Nullable LiveBody body;

    /// They have it from a match that was given up.
    private Set<Subscription> served = Set.of();

    /// Null before it has begun, and when it has ended.
    private @Nullable Handing handing;

    private boolean begun;

    /// True if it has to wait for scratch space.
    private boolean waiting;

    /// @param block a view of its own; its array is never changed
    /// @param body in parts, null if the block has it
    SlicedMatch(
            Router router,
            Topic topic,
            MessageBlock block,
            @Nullable Publisher producer,
            Audience audience,
            @Nullable LiveBody body) {
        this.router = router;
        this.topic = topic;
        this.block = block;
        this.producer = producer;
        this.audience = audience;
        this.body = body;
    }

    /// Goes on with what has begun.
    ///
    /// @param mine what was found so far, and whose scratch space it is
    SlicedMatch begun(Handing mine) {
        handing = mine;
        begun = true;
        return this;
    }

    /// Waits for scratch space.
    ///
    /// @param before these have the message
    SlicedMatch waiting(Set<Subscription> before) {
        served = before;
        waiting = true;
        router.suspendedMatches().startWaiting();
        return this;
    }

    /// The message.
    MessageBlock block() {
        return block;
    }

    /// Finds more recipients, for less than a tenth of a millisecond or so. In the end the router
    /// has the result, unless the match was abandoned meanwhile.
    ///
    /// @return whether there are more to find
    boolean step() {
        Handing mine = handing;
        if (mine == null) {
            mine = router.suspendedMatches().takeSpare();
            if (mine == null) {
                return true;
            }
            waiting = false;
            handing = mine;
            router.begin(mine, topic, block, producer, audience);
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
            handing = null;
            router.tell(topic, block, mine);
            router.suspendedMatches().giveBack(mine);
        }
        return !ended;
    }

    /// Ends it before all recipients have the message: its producer has gone.
    void abandon() {
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
