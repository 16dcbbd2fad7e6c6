package winnow.broker.shard;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
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

    /// Messages that go together, before other work has its turn and the log has them: each is
    /// written anew with where it comes from, which may be long.
    private static final int TOGETHER = 256;

    private final LogQuota buried = new LogQuota();
    private final LogQuota refused = new LogQuota();
    private final LogQuota lost = new LogQuota();
    private final Shard shard;

    /// Messages that found no room, and some that are not there any more. They are
    /// [parked][WaitingList], so that operators see them, and may be given to nobody.
    private final SequencedMap<StoredSubscription, SequenceSet> waiting = new LinkedHashMap<>();

    private long nextMillis = Long.MAX_VALUE;

    /// Messages that had to go since the log had what was done before.
    private int together;

    /// Messages that are too many for now wait, and are tried when the log has those before.
    private boolean goesOn;

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
        return whyFull(grave) != null;
    }

    /// Reason why it takes no more, null if it does.
    private @Nullable String whyFull(StoredDestination grave) {
        Backlog backlog = grave.policy().backlog();
        return overflow(grave) == Backlog.Overflow.REFUSE && backlog.full(grave.queue())
                ? backlog.describe(grave.queue())
                : shard.memory().fullOf(grave, "");
    }

    /// A message has failed too often. Some go at once, others wait until the log has these.
    void bury(StoredSubscription subscription, long sequence, int priority) {
        if (together == TOGETHER) {
            await(subscription, sequence, priority);
            return;
        }
        together++;
        if (!goesOn) {
            goesOn = true;
            shard.dispatcher().whenWritten(this::goOn);
        }
        shard.dispatcher().bury(subscription, sequence);
    }

    private void goOn() {
        goesOn = false;
        together = 0;
        onTried();
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
        String full = whyFull(grave);
        if (full != null) {
            refuse(subscription, message, grave, full);
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
        String owner = message.ownerName();
        shard.intake().append(grave, block, headers, Intake.Way.WITH_OTHERS, message.body, owner);
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
        SequenceSet known = waiting.computeIfAbsent(subscription, _ -> new SequenceSet());
        known.add(sequence);
        subscription.waiting().forgetStale(known);
    }

    /// Messages of a subscription that wait for room, and those that it has not forgotten yet.
    long waiting(StoredSubscription subscription) {
        SequenceSet known = waiting.get(subscription);
        return known == null ? 0 : known.count();
    }

    private void refuse(
            StoredSubscription subscription,
            StoredMessage message,
            StoredDestination grave,
            String full) {
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
                        full,
                        grave.name(),
                        before));
    }

    /// Tries some of the messages again that found no room, if it is time and there is room.
    void due(long nowMillis) {
        if (nowMillis < nextMillis) {
            return;
        }
        nextMillis = waiting.isEmpty() ? Long.MAX_VALUE : nowMillis + AGAIN_MILLIS;
        if (!waiting.isEmpty() && !full()) {
            tryAgain();
        }
    }

    /// Some have been tried, and the log has what was done with them: while there is room the
    /// others do not wait, and else they are tried again after a while.
    private void onTried() {
        if (waiting.isEmpty()) {
            nextMillis = Long.MAX_VALUE;
        } else if (!full()) {
            nextMillis = shard.nowMillis();
        } else {
            nextMillis = Math.min(nextMillis, shard.nowMillis() + AGAIN_MILLIS);
        }
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
        Dispatcher dispatcher = shard.dispatcher();
        dispatcher.withMessages(
                first.getKey(),
                some,
                message -> tryAgain(first.getKey(), message),
                () -> dispatcher.whenWritten(this::onTried));
    }

    /// Buries a message that has failed too often by the policy of now; offers any other to
    /// consumers again.
    private void tryAgain(StoredSubscription subscription, StoredMessage message) {
        if (!subscription.take(message.sequence)) {
            return;
        }
        int attempts = subscription.failedDeliveries(message.sequence);
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
