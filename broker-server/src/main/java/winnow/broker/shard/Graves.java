package winnow.broker.shard;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.LogQuota;
import winnow.store.Durability;
import winnow.wire.DestinationKind;

/// The dead-letter queue: what goes there, and what goes from there without a consumer. Nothing
/// does unless a policy says so. Where it is full and drops nothing, dead letters wait in their own
/// queues and subscriptions, which have limits, too: a bit for each. Owned by the shard.
final class Graves {
    private static final Logger LOG = LoggerFactory.getLogger(Graves.class);

    /// So often the dead-letter queue is looked at while messages wait for room.
    static final long AGAIN_MILLIS = 1000;

    /// Messages that are tried again together.
    private static final int TOGETHER = 1024;

    private final LogQuota buried = new LogQuota();
    private final LogQuota refused = new LogQuota();
    private final LogQuota lost = new LogQuota();
    private final Shard shard;

    /// Messages that found no room, and some that are not there any more. They are
    /// [parked][WaitingList], so that operators see them, and may be given to nobody.
    private final SequencedMap<StoredSubscription, SequenceSet> waiting = new LinkedHashMap<>();

    private long nextMillis = Long.MAX_VALUE;

    Graves(Shard shard) {
        this.shard = shard;
    }

    /// True if it is the dead-letter queue.
    boolean is(StoredDestination destination) {
        return destination.kind() == DestinationKind.QUEUE
                && destination.name().equals(shard.config().deadLetters());
    }

    /// True if a message that failed so often belongs here. What fails here stays here.
    boolean takes(StoredSubscription subscription, int failures) {
        StoredDestination destination = subscription.destination();
        return !is(destination) && destination.policy().redelivery().exhausted(failures);
    }

    /// Policy of a destination for messages that are too many. The dead-letter queue has none that
    /// its oldest could go to.
    Backlog.Overflow overflow(StoredDestination destination) {
        Backlog.Overflow overflow = destination.policy().backlog().overflow();
        return overflow == Backlog.Overflow.BURY_OLDEST && is(destination)
                ? Backlog.Overflow.REFUSE
                : overflow;
    }

    /// True if it takes no more.
    boolean full() {
        return shard.catalog()
                .findQueue(shard.config().deadLetters())
                .filter(this::isFull)
                .isPresent();
    }

    private boolean isFull(StoredDestination grave) {
        return overflow(grave) == Backlog.Overflow.REFUSE
                && grave.policy().backlog().full(grave.queue());
    }

    /// A message of the dead-letter queue goes, for a reason. Others may do so unnoticed.
    void onLost(StoredDestination destination, StoredMessage message, String why) {
        if (is(destination)) {
            destination.counts().deadLost++;
            String name = name(message);
            lost.log(before ->
                    LOG.warn(
                            "Message {} went from the dead-letter queue {} for good: {}{}",
                            name,
                            destination.name(),
                            why,
                            before));
        }
    }

    private static String name(StoredMessage message) {
        String id = MessageHeaders.idOf(message.block);
        return id.isEmpty() ? String.valueOf(message.sequence) : id;
    }

    private static String from(StoredSubscription subscription) {
        return subscription.destination().kind() == DestinationKind.QUEUE
                ? subscription.toString()
                : subscription + " of " + subscription.destination();
    }

    /// Moves a message to the dead-letter queue. The message stays until the log has both changes.
    ///
    /// @return false if there is no room for it: it waits where it is
    boolean bury(StoredSubscription subscription, StoredMessage message, String reason) {
        if (shard.journal().failed()) {
            // It is in the log still, and comes again after a restart.
            shard.settlement().end(subscription, message.sequence, message.bytes());
            return true;
        }
        StoredDestination grave = shard.queue(shard.config().deadLetters());
        if (isFull(grave)) {
            refuse(subscription, message, grave);
            return false;
        }
        StoredDestination destination = subscription.destination();
        DeadLetter letter =
                new DeadLetter(
                        reason,
                        destination.toString(),
                        subscription.name().display(),
                        subscription.earlierDeliveries(message.sequence));
        byte[] block = letter.write(message.block);
        MessageHeaders old = message.headers;
        MessageHeaders headers =
                new MessageHeaders(
                        old.persistent(),
                        old.priority(),
                        0,
                        0,
                        Recipients.NONE,
                        LargeBody.bytes(block, message.body),
                        message.maxNameId,
                        old.special());
        shard.intake().append(grave, block, headers, Intake.Way.WITH_OTHERS, message.body);
        destination.counts().buried++;
        buried.log(before ->
                LOG.warn(
                        "Message {} of {} went to queue {}: {}{}",
                        name(message),
                        from(subscription),
                        grave.name(),
                        reason,
                        before));
        shard.settlement().end(subscription, message.sequence, message.bytes());
        shard.journal().demand(Durability.SYNCED);
        return true;
    }

    /// A message was there when the shard was opened that had found no room, or had no time to be
    /// moved: nobody gets it.
    void onRecovered(StoredSubscription subscription, long sequence, int priority) {
        await(subscription, sequence, priority);
        nextMillis = shard.nowMillis();
    }

    private void await(StoredSubscription subscription, long sequence, int priority) {
        subscription.waiting().addParked(sequence, priority);
        waiting.computeIfAbsent(subscription, _ -> new SequenceSet()).add(sequence);
    }

    private void refuse(
            StoredSubscription subscription, StoredMessage message, StoredDestination grave) {
        await(subscription, message.sequence, message.headers.priority());
        nextMillis = Math.min(nextMillis, shard.nowMillis() + AGAIN_MILLIS);
        grave.counts().refused++;
        refused.log(before ->
                LOG.warn(
                        "Message {} of {} waits there and is given to nobody, because it belongs"
                                + " into the dead-letter queue and {}. Receive, purge or retry its"
                                + " messages, raise queue.max-messages or queue.max-bytes, or let"
                                + " queue.policies say {}=overflow:drop-oldest{}",
                        name(message),
                        from(subscription),
                        grave.policy().backlog().describe(grave.queue()),
                        grave.name(),
                        before));
    }

    /// Tries some of the messages again that found no room, if it is time and there is room.
    void due(long nowMillis) {
        if (nowMillis < nextMillis) {
            return;
        }
        if (!waiting.isEmpty() && !full()) {
            tryAgain();
        }
        nextMillis = waiting.isEmpty() ? Long.MAX_VALUE : nowMillis + AGAIN_MILLIS;
    }

    /// Time of the next work of [#due], in ms since 1970; [Long#MAX_VALUE] if there is none.
    long next() {
        return nextMillis;
    }

    private void tryAgain() {
        Map.Entry<StoredSubscription, SequenceSet> first = waiting.pollFirstEntry();
        SequenceSet left = first.getValue();
        long[] some = new long[(int) Math.min(TOGETHER, left.count())];
        for (int i = 0; i < some.length; i++) {
            some[i] = left.first();
            left.remove(some[i]);
        }
        if (!left.isEmpty()) {
            waiting.putLast(first.getKey(), left);
        }
        shard.dispatcher()
                .withMessages(first.getKey(), some, message -> tryAgain(first.getKey(), message));
    }

    /// Buries a message that has failed too often by the policy of now; offers any other to
    /// consumers again.
    private void tryAgain(StoredSubscription subscription, StoredMessage message) {
        if (!subscription.take(message.sequence)) {
            return;
        }
        int attempts = subscription.countedDeliveries(message.sequence);
        if (takes(subscription, attempts) && !message.headers.expired(shard.nowMillis())) {
            shard.settlement().bury(subscription, message);
        } else {
            shard.intake().offer(subscription, message);
        }
    }

    /// A subscription is gone.
    void forget(StoredSubscription subscription) {
        waiting.remove(subscription);
    }
}
