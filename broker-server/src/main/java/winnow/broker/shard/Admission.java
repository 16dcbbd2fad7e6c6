package winnow.broker.shard;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Keeps backlogs within their limits: refuses messages, or lets the oldest go that nobody has
/// received. Owned by the shard.
final class Admission {
    /// Messages that go before other work has its turn.
    private static final int TOGETHER = 256;

    private final Shard shard;
    private final Timetable<StoredSubscription> delays;
    private final Set<StoredSubscription> overflowing = new LinkedHashSet<>();

    /// Whose oldest messages are being read.
    private final Set<StoredSubscription> trimming = new HashSet<>();

    /// @param delays when delayed messages may be delivered
    Admission(Shard shard, Timetable<StoredSubscription> delays) {
        this.shard = shard;
        this.delays = delays;
    }

    /// Refuses a message for a destination that has no room, where its policy says so.
    boolean refuses(StoredDestination wanted, MessageHeaders headers, Outcome outcome) {
        StoredDestination destination = shard.registry().living(wanted);
        if (isTooLong(destination, headers, outcome)
                || isOneTooMany(destination, outcome)
                || hasNoTime(destination, headers, outcome)) {
            return true;
        }
        if (!refusesMore(destination)) {
            return false;
        }
        Backlog backlog = destination.policy().backlog();
        for (StoredSubscription subscription : destination.subscriptions()) {
            if (backlog.full(subscription) && subscription.wants(headers)) {
                destination.counts().refused++;
                outcome.onRefused(backlog.describe(subscription));
                return true;
            }
        }
        return false;
    }

    /// Whether the oldest cannot make room for new ones: no policy says so, or they would have to
    /// go to the dead-letter queue and find no room there.
    private boolean refusesMore(StoredDestination destination) {
        Graves graves = shard.settlement().graves();
        return switch (graves.overflow(destination)) {
            case REFUSE -> true;
            case DROP_OLDEST -> false;
            case BURY_OLDEST -> graves.full();
        };
    }

    /// Refuses the first message of a queue that has no room beside the others.
    private boolean isOneTooMany(StoredDestination destination, Outcome outcome) {
        if (destination.kept || destination.temporary()) {
            return false;
        }
        String full = shard.catalog().full();
        if (full != null) {
            destination.counts().refused++;
            outcome.onRefused(destination + " cannot be made: " + full);
            return true;
        }
        shard.catalog().keep(destination);
        return false;
    }

    /// Refuses a delayed message where the times of others take too much memory.
    private boolean hasNoTime(
            StoredDestination destination, MessageHeaders headers, Outcome outcome) {
        if (headers.deliveryTime() <= shard.nowMillis()
                || destination.subscriptions().stream().noneMatch(delays::isFull)) {
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
                        + " (half of storage.window), of which a queue may have half of what"
                        + " others leave");
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
        String full = shard.bodies().full(destination);
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
                        backlog.describe(subscription)
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
