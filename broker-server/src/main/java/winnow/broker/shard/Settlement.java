package winnow.broker.shard;

import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.LogQuota;
import winnow.broker.shard.StoredConsumer.Delivered;
import winnow.store.Durability;
import winnow.wire.DestinationKind;

/// What becomes of deliveries: they are acknowledged, come back, or are buried after too many
/// attempts. Owned by the shard.
final class Settlement {
    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);

    private final LogQuota buried = new LogQuota();
    private final Shard shard;
    private final Timetable<StoredDestination> expirations;
    private final Timetable<StoredSubscription> delays;
    private final DeliveryLimit limit;
    private final LaneMemory laneMemory;

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
        this.limit = new DeliveryLimit(config.maxPerConnection(), config.maxDeliveries());
        this.laneMemory = new LaneMemory(shard.config().windowBytes());
    }

    LaneMemory laneMemory() {
        return laneMemory;
    }

    /// A consumer begins.
    ///
    /// @throws BacklogLimitException if there is no memory for its filter
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
        Delivered delivered = consumer.remove(sequence);
        if (delivered != null) {
            shard.dispatcher().add(consumer.lane());
            limit.onEnded(consumer.share(), shard::resume);
        }
        return delivered;
    }

    void acknowledge(StoredConsumer consumer, long sequence) {
        Delivered delivered = take(consumer, sequence);
        if (delivered != null) {
            StoredSubscription subscription = consumer.subscription();
            subscription.destination().counts().acknowledged++;
            end(subscription, sequence, delivered.bytes());
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
        dereference(destination, sequence);
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
            // What comes back is before what waits for this consumer.
            shard.dispatcher().unpark(consumer);
            release(consumer.subscription(), delivered, how);
        }
    }

    void release(StoredSubscription subscription, Delivered delivered, Return how) {
        if (subscription.ended() || !subscription.expects(delivered.sequence())) {
            // It may have been put aside meanwhile.
            return;
        }
        long sequence = delivered.sequence();
        StoredDestination destination = subscription.destination();
        StoredMessage message = destination.inWindow(sequence);
        boolean stored = message == null || message.stored;
        int attempts = subscription.onReleased(sequence, how, stored);
        if (stored) {
            shard.journal().note(subscription);
        }
        Redelivery redelivery = destination.policy().redelivery();
        if (how == Return.FAILED) {
            destination.counts().failed++;
        }
        long delay = redelivery.delayMillis(attempts);
        if (how == Return.FAILED && redelivery.exhausted(attempts)) {
            shard.dispatcher().bury(subscription, sequence);
        } else if (how == Return.FAILED && delay > 0) {
            long now = shard.nowMillis();
            delays.addSoon(now + delay, now, subscription, sequence);
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
        if (consumer.lane().consumers().isEmpty()) {
            consumer.lane().groups.clear();
        }
        shard.dispatcher().unpark(consumer);
        consumer.subscription().lanes().onDetached(consumer.lane(), laneMemory);
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
        int deliveries = subscription.earlierDeliveries(message.sequence);
        if (isGrave(subscription.destination())) {
            shard.intake().offer(subscription, message);
        } else {
            bury(subscription, message, deliveries + " failed deliveries", deliveries);
        }
    }

    /// A message has expired before a subscription has received it.
    void expire(StoredSubscription subscription, StoredMessage message) {
        StoredDestination destination = subscription.destination();
        destination.counts().expired++;
        if (destination.policy().buriesExpired() && !isGrave(destination)) {
            bury(
                    subscription,
                    message,
                    "expired",
                    subscription.earlierDeliveries(message.sequence));
        } else {
            end(subscription, message.sequence, message.bytes());
        }
    }

    /// There are too many messages: one goes.
    ///
    /// @param buries whether to the dead-letter queue
    void drop(StoredSubscription subscription, StoredMessage message, boolean buries) {
        if (buries) {
            bury(
                    subscription,
                    message,
                    "too many messages in " + subscription,
                    subscription.earlierDeliveries(message.sequence));
        } else {
            end(subscription, message.sequence, message.bytes());
        }
    }

    /// Whether it is the dead-letter queue.
    boolean isGrave(StoredDestination destination) {
        return destination.kind() == DestinationKind.QUEUE
                && destination.name().equals(shard.config().deadLetters());
    }

    /// One line for a message that nobody gets, some a minute.
    private void tell(StoredSubscription subscription, StoredMessage message, String reason) {
        String from =
                subscription.destination().kind() == DestinationKind.QUEUE
                        ? subscription.toString()
                        : subscription + " of " + subscription.destination();
        String id = MessageHeaders.idOf(message.block);
        buried.log(before ->
                LOG.warn(
                        "Message {} of {} went to queue {}: {}{}",
                        id.isEmpty() ? String.valueOf(message.sequence) : id,
                        from,
                        shard.config().deadLetters(),
                        reason,
                        before));
    }

    /// Moves a message to the dead-letter queue. The message stays until the log has both changes.
    private void bury(
            StoredSubscription subscription, StoredMessage message, String reason, int deliveries) {
        if (shard.journal().failed()) {
            // It is in the log still, and comes again after a restart.
            end(subscription, message.sequence, message.bytes());
            return;
        }
        StoredDestination destination = subscription.destination();
        byte[] block =
                new DeadLetter(reason, destination.toString(), deliveries).write(message.block);
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
        StoredDestination grave = shard.queue(shard.config().deadLetters());
        shard.intake().append(grave, block, headers, Intake.Way.WITH_OTHERS, message.body);
        destination.counts().buried++;
        tell(subscription, message, reason);
        end(subscription, message.sequence, message.bytes());
        shard.journal().demand(Durability.SYNCED);
    }
}
