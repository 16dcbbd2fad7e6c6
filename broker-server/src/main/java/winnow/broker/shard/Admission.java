package winnow.broker.shard;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.LogQuota;
import winnow.wire.DestinationKind;

/// Keeps backlogs within their limits: refuses messages, or lets the oldest go that nobody has
/// received. Owned by the shard.
final class Admission {
    /// Messages that go before other work has its turn.
    private static final int TOGETHER = 256;

    private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

    private final LogQuota tooMany = new LogQuota();
    private final Shard shard;
    private final Timetable<StoredSubscription> delays;
    private final Set<StoredSubscription> overflowing = new LinkedHashSet<>();

    /// Subscriptions whose oldest messages are being read.
    private final Set<StoredSubscription> trimming = new HashSet<>();

    /// @param delays when delayed messages may be delivered
    Admission(Shard shard, Timetable<StoredSubscription> delays) {
        this.shard = shard;
        this.delays = delays;
    }

    /// Refuses a message for a destination that has no room, where its policy says so.
    boolean refuses(StoredDestination wanted, MessageHeaders headers, Outcome outcome) {
        return refuses(wanted, headers, 0, outcome);
    }

    /// The same of a message that comes together with others.
    ///
    /// @param delayed so many of the others have to wait
    boolean refuses(
            StoredDestination wanted, MessageHeaders headers, int delayed, Outcome outcome) {
        StoredDestination destination = shard.registry().living(wanted);
        if (isTooLong(destination, headers, outcome)
                || isOneTooMany(destination, outcome)
                || hasNoMemory(destination, outcome)
                || hasNoTime(destination, headers, delayed, outcome)) {
            leaveIfUnused(destination);
            return true;
        }
        if (!refusesMore(destination)) {
            return false;
        }
        Backlog backlog = destination.policy().backlog();
        for (StoredSubscription subscription : destination.subscriptions()) {
            if (backlog.full(subscription) && subscription.wants(headers)) {
                destination.counts().refused++;
                outcome.onRefused(full(subscription, outcome));
                return true;
            }
        }
        return false;
    }

    /// Says that there is no room in a queue or a subscription.
    private String full(StoredSubscription subscription, Outcome outcome) {
        StoredDestination destination = subscription.destination();
        String reason = destination.policy().backlog().describe(subscription);
        if (destination.kind() == DestinationKind.QUEUE || outcome.seesSubscriptions()) {
            return reason;
        }
        tooMany.log(before -> LOG.warn("A message was refused: {}{}", reason, before));
        return destination + ": a subscription of it is full";
    }

    /// True if the oldest cannot make room for new ones: no policy says so, or they would have to
    /// go to the dead-letter queue and find no room there.
    private boolean refusesMore(StoredDestination destination) {
        Graves graves = shard.settlement().graves();
        return switch (graves.overflow(destination)) {
            case REFUSE -> true;
            case DROP_OLDEST -> false;
            case BURY_OLDEST -> graves.full();
        };
    }

    /// Refuses messages of a queue that has no room beside the others.
    private boolean isOneTooMany(StoredDestination destination, Outcome outcome) {
        String full = shard.registry().charge(destination, outcome.owner());
        if (full == null) {
            return false;
        }
        String reason = destination + " cannot be made: " + full;
        destination.counts().refused++;
        tooMany.log(before -> LOG.warn("A message was refused: {}{}", reason, before));
        outcome.onRefused(reason);
        return true;
    }

    /// Refuses messages of a destination that, or whose sets of messages, take too much memory.
    private boolean hasNoMemory(StoredDestination destination, Outcome outcome) {
        String reason = shard.catalog().fullOfGaps(destination);
        if (reason == null) {
            reason = shard.memory().fullOf(destination, outcome.owner());
        }
        if (reason != null) {
            destination.counts().refused++;
            outcome.onRefused(reason);
        }
        return reason != null;
    }

    /// A refused message leaves no new destination behind.
    private void leaveIfUnused(StoredDestination destination) {
        if (destination.owner == null) {
            shard.registry().collect(destination);
        }
    }

    /// Refuses a delayed message where the times of others take too much memory.
    private boolean hasNoTime(
            StoredDestination destination, MessageHeaders headers, int delayed, Outcome outcome) {
        if (headers.deliveryTime() <= shard.nowMillis()
                || destination.subscriptions().stream()
                        .noneMatch(one -> delays.isFull(one, outcome.owner(), 1 + delayed))) {
            return false;
        }
        destination.counts().refused++;
        outcome.onRefused(
                "a delayed message for "
                        + destination
                        + ": too many wait there already for too many different times. All delays"
                        + " take "
                        + delays.heapBytes()
                        + " bytes of heap, and the limit is "
                        + shard.config().timerBytes()
                        + " (half of storage.window), of which a queue may have half of what other"
                        + " queues leave, and a user, or the address of a client without one, all"
                        + " but an eighth of what other users leave"
                        + delays.shortage());
        return true;
    }

    private static boolean isTooLong(
            StoredDestination destination, MessageHeaders headers, Outcome outcome) {
        int limit = destination.policy().maxMessageBytes();
        if (headers.blockBytes() <= limit) {
            return false;
        }
        destination.counts().refused++;
        outcome.onRefused(
                "a message of "
                        + headers.blockBytes()
                        + " bytes, headers and properties included, for "
                        + destination
                        + ": queue.max-message-bytes is "
                        + limit);
        return true;
    }

    /// Refuses a message in parts, by the length that is announced: all of it has to fit, together
    /// with what others are sending.
    boolean refusesUpload(StoredDestination wanted, MessageHeaders headers, Outcome outcome) {
        if (refuses(wanted, headers, outcome)) {
            return true;
        }
        StoredDestination destination = shard.registry().living(wanted);
        String full = shard.bodies().full(destination, outcome.owner());
        if (full != null) {
            destination.counts().refused++;
            outcome.onRefused(full);
            return true;
        }
        Backlog backlog = destination.policy().backlog();
        long coming = shard.bodies().announced(destination) + headers.blockBytes();
        for (StoredSubscription subscription : destination.subscriptions()) {
            if (!backlog.fits(subscription, coming) && subscription.wants(headers)) {
                destination.counts().refused++;
                outcome.onRefused(
                        full(subscription, outcome)
                                + "; a message in parts would bring "
                                + headers.blockBytes());
                return true;
            }
        }
        return false;
    }

    /// A message has come to a subscription.
    void onAppended(StoredSubscription subscription) {
        StoredDestination destination = subscription.destination();
        Backlog backlog = destination.policy().backlog();
        boolean trims =
                shard.settlement().graves().overflow(destination) != Backlog.Overflow.REFUSE;
        if (trims && backlog.full(subscription)) {
            overflowing.add(subscription);
        }
    }

    /// Lets go what is too much, some at a time.
    void trim() {
        if (overflowing.isEmpty()) {
            return;
        }
        for (StoredSubscription subscription : List.copyOf(overflowing)) {
            if (!trimming.contains(subscription)) {
                trim(subscription);
            }
        }
    }

    private void trim(StoredSubscription subscription) {
        StoredDestination destination = subscription.destination();
        Backlog backlog = destination.policy().backlog();
        long excess = subscription.ended() ? 0 : backlog.excess(subscription);
        if (excess == 0) {
            overflowing.remove(subscription);
            return;
        }
        if (refusesMore(destination)) {
            return;
        }
        // None if all are with consumers, or on their way to the log.
        long[] oldest = subscription.waiting().oldest((int) Math.min(excess, TOGETHER));
        for (long sequence : oldest) {
            subscription.take(sequence);
        }
        boolean buries = backlog.overflow() == Backlog.Overflow.BURY_OLDEST;
        if (oldest.length == 0) {
            return;
        }
        trimming.add(subscription);
        shard.dispatcher()
                .withMessages(
                        subscription,
                        oldest,
                        message -> shard.settlement().drop(subscription, message, buries),
                        () -> trimming.remove(subscription));
    }
}
