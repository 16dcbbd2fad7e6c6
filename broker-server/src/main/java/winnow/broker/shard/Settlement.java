package winnow.broker.shard;

import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import winnow.broker.shard.StoredConsumer.Delivered;
import winnow.store.Durability;

/// Settles deliveries: they are acknowledged, come back, or are buried after too many attempts.
/// Owned by the shard.
final class Settlement {
    private final Shard shard;
    private final Timetable<StoredDestination> expirations;
    private final Timetable<StoredSubscription> delays;
    private final DeliveryLimit limit;
    private final HeapShares<Lane> laneMemory;
    private final HeldGroups heldGroups;
    private final Graves graves;

    /// @param expirations forgets messages that nobody needs
    /// @param delays gets when messages may be delivered again
    Settlement(
            Shard shard,
            Timetable<StoredDestination> expirations,
            Timetable<StoredSubscription> delays) {
        this.shard = shard;
        this.expirations = expirations;
        this.delays = delays;
        ShardConfig config = shard.config();
        this.limit = new DeliveryLimit(config.maxPerConnection(), config.deliveryHeap());
        this.laneMemory = HeapShares.ofPlaces(config.laneHeap());
        this.graves = new Graves(shard);
        this.heldGroups = new HeldGroups(shard, config.heldGroupHeap());
    }

    /// Heap of what lanes with filters know of their messages.
    HeapShares<Lane> laneMemory() {
        return laneMemory;
    }

    /// The groups whose messages have to wait.
    HeldGroups heldGroups() {
        return heldGroups;
    }

    /// A consumer begins.
    StoredConsumer attach(
            StoredSubscription subscription,
            @Nullable MessageFilter filter,
            StoredConsumer.Receiver receiver) {
        LaneIndexes indexes = shard.config().laneIndexes();
        Lane lane = subscription.lanes().lane(filter, indexes, laneMemory);
        int most = shard.config().maxUnacknowledged();
        StoredConsumer consumer = new StoredConsumer(lane, receiver, most, limit);
        lane.consumers().add(consumer);
        return consumer;
    }

    /// Takes a delivery out of what its consumer has, which may get another one then.
    ///
    /// @return null if it has none of this message
    @Nullable Delivered take(StoredConsumer consumer, long sequence) {
        return take(consumer, sequence, false);
    }

    /// @param done whether the message does not come again
    private @Nullable Delivered take(StoredConsumer consumer, long sequence, boolean done) {
        Delivered delivered = consumer.remove(sequence);
        if (delivered == null) {
            return null;
        }
        shard.dispatcher().add(consumer.lane());
        limit.onEnded(consumer.share(), delivered.places(), shard::resume);
        if (delivered.group() == 0) {
            return delivered;
        }
        if (consumer.closed()) {
            heldGroups.onSettled(consumer.subscription(), delivered.group());
        } else {
            GroupTotal total = shard.dispatcher().groupTotal();
            consumer.lane().groups.onSettled(delivered.group(), done && delivered.last(), total);
        }
        return delivered;
    }

    void acknowledge(StoredConsumer consumer, long sequence) {
        Delivered delivered = take(consumer, sequence, true);
        if (delivered != null) {
            StoredSubscription subscription = consumer.subscription();
            subscription.destination().counts().acknowledged++;
            end(subscription, sequence, delivered.bytes());
        }
    }

    /// A delivery becomes part of a prepared transaction; its group waits for the decision.
    ///
    /// @return null if the consumer has none of this message
    @Nullable Delivered prepare(StoredConsumer consumer, long sequence) {
        Delivered delivered = consumer.find(sequence);
        if (delivered != null && delivered.group() != 0) {
            heldGroups.onAway(consumer.subscription(), delivered.group());
        }
        return take(consumer, sequence);
    }

    /// Acknowledges a delivery that was part of a prepared transaction.
    void acknowledge(StoredSubscription subscription, Delivered delivered) {
        decide(subscription, delivered);
        if (delivered.last()) {
            GroupTotal total = shard.dispatcher().groupTotal();
            subscription
                    .lanes()
                    .list()
                    .forEach(lane -> lane.groups.onEnded(delivered.group(), total));
        }
        end(subscription, delivered.sequence(), delivered.bytes());
    }

    /// Lets a delivery fail that was part of a prepared transaction.
    void fail(StoredSubscription subscription, Delivered delivered) {
        decide(subscription, delivered);
        release(subscription, null, delivered, Return.FAILED);
    }

    private void decide(StoredSubscription subscription, Delivered delivered) {
        if (delivered.group() != 0) {
            heldGroups.onSettled(subscription, delivered.group());
        }
    }

    /// A subscription needs a message no more.
    void end(StoredSubscription subscription, long sequence, int bytes) {
        if (subscription.ended() || !subscription.expects(sequence)) {
            return;
        }
        StoredDestination destination = subscription.destination();
        StoredMessage message = destination.inWindow(sequence);
        boolean stored = message == null || message.stored;
        subscription.onAcknowledged(sequence, bytes, stored);
        shard.catalog().onChanged(subscription);
        if (subscription.messages() == 0) {
            shard.catalog().onIdle(destination);
        }
        dereference(destination, sequence);
        shard.catalog().onChanged(destination);
        if (stored) {
            destination.space().onEnded(sequence, bytes, shard.config().deletedTogether());
            shard.journal().note(subscription);
        }
        shard.bodies().onEnded(destination, sequence);
    }

    /// One subscription less needs a message.
    void dereference(StoredDestination destination, long sequence) {
        StoredMessage message = destination.inWindow(sequence);
        if (message != null && --message.references <= 0) {
            shard.window().remove(message);
            destination.priorities().remove(sequence);
            long expiration = message.headers.expiration();
            if (expiration != 0) {
                expirations.remove(expiration, destination, sequence);
            }
        }
    }

    /// A delivery cannot be completed: its credit comes back, but not the message.
    void giveUp(StoredConsumer consumer, long sequence) {
        Delivered delivered = take(consumer, sequence);
        if (delivered != null) {
            consumer.addCredit(1, delivered.bytes());
        }
    }

    /// A delivery comes back, and its credit with it.
    void release(StoredConsumer consumer, long sequence, Return how) {
        Delivered delivered = take(consumer, sequence);
        if (delivered != null) {
            consumer.addCredit(1, delivered.bytes());
            release(consumer.subscription(), consumer, delivered, how);
        }
    }

    /// @param consumer that had it, null if it was part of a prepared transaction
    void release(
            StoredSubscription subscription,
            @Nullable StoredConsumer consumer,
            Delivered delivered,
            Return how) {
        if (subscription.ended() || !subscription.expects(delivered.sequence())) {
            // It may have been put aside meanwhile.
            return;
        }
        long sequence = delivered.sequence();
        StoredDestination destination = subscription.destination();
        StoredMessage message = destination.inWindow(sequence);
        if (subscription.hasExpired(sequence)) {
            expirations.add(shard.nowMillis(), destination, sequence);
        }
        boolean stored = message == null || message.stored;
        // One that may have been delivered before a restart has not failed by that.
        int failures = subscription.failedDeliveries(sequence) + 1;
        int attempts = subscription.onReleased(sequence, how, stored);
        shard.catalog().onChanged(subscription);
        if (stored) {
            shard.journal().note(subscription);
        }
        Redelivery redelivery = destination.policy().redelivery();
        if (how == Return.FAILED) {
            destination.counts().failed++;
        }
        long delay = redelivery.delayMillis(failures);
        if (how == Return.FAILED && redelivery.exhausted(attempts)) {
            graves.bury(subscription, sequence, delivered.priority());
        } else if (how == Return.FAILED && delay > 0) {
            delay(subscription, delivered, delay);
        } else {
            comeBack(subscription, consumer, delivered, message);
        }
    }

    /// A message that has failed waits, and so does the group that it is of.
    private void delay(StoredSubscription subscription, Delivered delivered, long delayMillis) {
        long now = shard.nowMillis();
        long until = now + delayMillis;
        if (delivered.group() != 0 && heldGroups.delay(subscription, delivered.group(), until)) {
            waitForGroup(subscription, delivered);
        } else {
            delays.addSoon(until, now, subscription, delivered.sequence());
        }
    }

    private void waitForGroup(StoredSubscription subscription, Delivered delivered) {
        subscription.waiting().addParked(delivered.sequence(), delivered.priority());
        heldGroups.add(subscription, delivered.group(), delivered.sequence());
    }

    /// A message may be delivered again at once. It is before what waits for the same consumer.
    private void comeBack(
            StoredSubscription subscription,
            @Nullable StoredConsumer consumer,
            Delivered delivered,
            @Nullable StoredMessage message) {
        long sequence = delivered.sequence();
        if (delivered.group() != 0 && heldGroups.holds(subscription, delivered.group())) {
            waitForGroup(subscription, delivered);
        } else if (delivered.group() != 0
                && consumer != null
                && !consumer.closed()
                && consumer.parked().count() > 0) {
            subscription.waiting().addParked(sequence, delivered.priority());
            consumer.parked().add(sequence, delivered.priority());
        } else {
            byte[] head = message == null ? null : message.block;
            subscription.onAvailable(sequence, delivered.priority(), head, shard.dispatcher()::add);
        }
    }

    /// A consumer ends. What its client has seen stays with it.
    void detach(StoredConsumer consumer, LongPredicate seen, Return how) {
        consumer.close();
        consumer.subscription().recalls().forget(consumer);
        consumer.lane().consumers().remove(consumer);
        consumer.owner().end();
        for (Delivered delivered : consumer.delivered()) {
            if (delivered.group() != 0) {
                consumer.lane().groups.onOwnerEnded(delivered.group());
                heldGroups.onAway(consumer.subscription(), delivered.group());
            }
        }
        if (consumer.lane().consumers().isEmpty()) {
            consumer.lane().groups.clear();
        }
        shard.dispatcher().unpark(consumer);
        consumer.subscription().lanes().onDetached(consumer.lane());
        if (consumer.subscription().consumers() == 0) {
            shard.catalog().onIdle(consumer.subscription().destination());
        }
        long[] sequences = new long[consumer.unacknowledged()];
        int count = 0;
        for (Delivered delivered : consumer.delivered()) {
            sequences[count++] = delivered.sequence();
        }
        for (long sequence : sequences) {
            if (!seen.test(sequence)) {
                release(consumer, sequence, how);
            }
        }
    }

    /// A message has failed too often.
    void bury(StoredSubscription subscription, StoredMessage message) {
        if (isGrave(subscription.destination())) {
            shard.intake().offer(subscription, message);
        } else {
            int deliveries = subscription.earlierDeliveries(message.sequence);
            boolean _ = graves.bury(subscription, message, deliveries + " failed deliveries");
        }
    }

    /// True if expired messages of a destination go to the dead-letter queue.
    boolean buriesExpired(StoredDestination destination) {
        return destination.policy().buriesExpired() && !isGrave(destination);
    }

    /// A message has expired before a subscription has received it.
    void expire(StoredSubscription subscription, StoredMessage message) {
        StoredDestination destination = subscription.destination();
        if (!buriesExpired(destination)) {
            graves.onLost(destination, message, "it has expired");
            end(subscription, message.sequence, message.bytes());
            destination.counts().expired++;
        } else if (graves.bury(subscription, message, "expired")) {
            destination.counts().expired++;
        }
    }

    /// A delivery has expired before the application has seen it.
    void expire(StoredConsumer consumer, long sequence) {
        if (take(consumer, sequence, true) != null) {
            StoredSubscription subscription = consumer.subscription();
            shard.dispatcher()
                    .withMessages(
                            subscription,
                            new long[] {sequence},
                            message -> expire(subscription, message));
        }
    }

    /// The broker stops, and every delivery has come back but those that a client still has.
    void settle(Iterable<StoredSubscription> subscriptions) {
        for (StoredSubscription subscription : subscriptions) {
            if (subscription.durable() && subscription.unacknowledged() == 0) {
                subscription.settle();
                shard.journal().note(subscription);
            }
        }
        shard.journal().demand(Durability.SYNCED);
    }

    /// There are too many messages: one goes.
    ///
    /// @param buries whether to the dead-letter queue
    void drop(StoredSubscription subscription, StoredMessage message, boolean buries) {
        Counts counts = subscription.destination().counts();
        if (!buries) {
            graves.onLost(subscription.destination(), message, "it has too many messages");
            end(subscription, message.sequence, message.bytes());
            counts.overflowed++;
        } else if (graves.bury(subscription, message, "too many messages in " + subscription)) {
            counts.overflowed++;
        }
    }

    /// Goes on with what waits for a time.
    void due(long nowMillis) {
        heldGroups.due(nowMillis);
        shard.memory().resume(shard.dispatcher());
        if (shard.journal().batch().isEmpty()) {
            shard.memory().forgetOwners();
        }
        limit.resumeAll(shard::resume);
        graves.due(nowMillis);
    }

    /// Time of the next work of [#due], in ms since 1970; [Long#MAX_VALUE] if there is none.
    long next() {
        return Math.min(heldGroups.next(), graves.next());
    }

    /// A subscription is gone.
    void forget(StoredSubscription subscription) {
        heldGroups.forget(subscription);
        graves.forget(subscription);
    }

    /// True if it is the dead-letter queue.
    boolean isGrave(StoredDestination destination) {
        return graves.is(destination);
    }

    /// Messages on their way to the dead-letter queue, and from there.
    Graves graves() {
        return graves;
    }
}
