package winnow.broker.shard;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.shard.StoredMessage.Headers;

/// The way of a message into a shard, until it waits for consumers: it gets its sequence, goes to
/// the log if it must, and becomes available when it is durable and its time has come. What cannot
/// be read again is put aside. Owned by the shard.
final class Intake {
    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

    /// Sequences that are reserved by one note in the log, so that none is used twice after a
    /// crash.
    private static final long RESERVED = 65_536;

    private final Shard shard;
    private final Timetable<StoredDestination> expirations;
    private final Timetable<StoredSubscription> delays;

    /// @param expirations gets when messages expire
    /// @param delays gets when messages may be delivered
    Intake(
            Shard shard,
            Timetable<StoredDestination> expirations,
            Timetable<StoredSubscription> delays) {
        this.shard = shard;
        this.expirations = expirations;
        this.delays = delays;
    }

    /// Takes a message, unless it has expired or nobody wants it.
    ///
    /// @param block an own copy of its block
    /// @param stored whether the log gets it
    void append(StoredDestination destination, byte[] block, Headers headers, boolean stored) {
        if (headers.expired(shard.nowMillis())) {
            return;
        }
        StoredMessage message = new StoredMessage(destination, destination.next(), block, headers);
        for (StoredSubscription subscription : destination.subscriptions()) {
            if (subscription.wants(headers)) {
                message.references++;
                subscription.onAppended(message.sequence, block.length);
            }
        }
        if (message.references == 0) {
            return;
        }
        destination.takeSequence();
        if (message.sequence >= destination.reserved) {
            destination.reserved = message.sequence + RESERVED;
            ShardRows.put(shard.journal().batch(), destination);
        }
        shard.window().add(message);
        if (headers.expiration() != 0) {
            expirations.add(headers.expiration(), destination, message.sequence);
        }
        if (stored) {
            store(message);
            shard.journal().add(message);
        } else {
            makeAvailable(message);
        }
    }

    private void store(StoredMessage message) {
        message.stored = true;
        shard.names().require(shard.journal().batch(), message.headers.maxNameId());
        MessageRows.put(shard.journal().batch(), message);
        for (StoredSubscription subscription : message.destination.subscriptions()) {
            if (subscription.expects(message.sequence) && subscription.hasReadyConsumer()) {
                shard.journal().announce(subscription, message.sequence);
            }
        }
    }

    /// The window has no room for a message that is not persistent. What was done with it before
    /// becomes part of the log, too.
    void spill(StoredMessage message) {
        store(message);
        shard.journal().addSpilled(message);
        for (StoredSubscription subscription : message.destination.subscriptions()) {
            if (subscription.wants(message.headers)) {
                if (!subscription.isAvailable(message.sequence)) {
                    // It may be with a consumer.
                    shard.journal().announce(subscription, message.sequence);
                }
                subscription.onStored(message.sequence);
                shard.journal().note(subscription);
            }
        }
    }

    /// A message is as durable as it must be: those who want it may have it.
    void makeAvailable(StoredMessage message) {
        for (StoredSubscription subscription : message.destination.subscriptions()) {
            if (subscription.expects(message.sequence)) {
                offer(subscription, message);
            }
        }
    }

    /// A message waits for consumers, unless its time has not come yet or is over.
    void offer(StoredSubscription subscription, StoredMessage message) {
        Headers headers = message.headers;
        if (headers.expired(shard.nowMillis())) {
            shard.end(subscription, message.sequence, message.block.length);
        } else if (headers.deliveryTime() > shard.nowMillis()) {
            delays.add(headers.deliveryTime(), subscription, message.sequence);
        } else {
            subscription.onAvailable(
                    message.sequence, headers.priority(), message.block, shard.dispatcher()::add);
        }
    }

    /// A message was there when the shard was opened, and a subscription has not acknowledged it.
    void onRecovered(StoredSubscription subscription, long sequence, Headers headers) {
        subscription.onAppended(sequence, headers.blockBytes());
        if (shard.transactions().holds(subscription, sequence)) {
            return;
        }
        if (headers.deliveryTime() > shard.nowMillis()) {
            delays.add(headers.deliveryTime(), subscription, sequence);
        } else {
            subscription.onAvailable(sequence, headers.priority(), null, shard.dispatcher()::add);
        }
    }

    /// The same, for a message that expires.
    void onRecovered(StoredDestination destination, long sequence, Headers headers) {
        expirations.add(headers.expiration(), destination, sequence);
    }

    /// A message cannot be used: nobody gets it any more, and what was found is kept beside.
    void quarantine(StoredDestination destination, Damage damage) {
        boolean needed = false;
        for (StoredSubscription subscription : destination.subscriptions()) {
            if (subscription.expects(damage.sequence)) {
                needed = true;
                subscription.take(damage.sequence);
                subscription.onAcknowledged(damage.sequence, 0, true);
                shard.journal().note(subscription);
            }
        }
        if (needed) {
            onDamageFound(destination, damage);
        }
    }

    /// Keeps what was found of a message that cannot be used.
    void onDamageFound(StoredDestination destination, Damage damage) {
        damage.putAside(shard.journal().batch(), destination);
        LOG.error(
                "Message {} of {} was put aside: {}", damage.sequence, destination, damage.reason);
    }
}
