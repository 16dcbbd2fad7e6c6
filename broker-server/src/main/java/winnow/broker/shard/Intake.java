package winnow.broker.shard;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.store.Batch;
import winnow.store.Durability;

/// The way of a message into a shard, until it waits for consumers: it gets its sequence, goes to
/// the log if it must, and becomes available when it is durable and its time has come. What cannot
/// be read again is put aside. Owned by the shard.
final class Intake {
    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

    /// Sequences that are reserved by one note in the log, so that none is used twice after a
    /// crash.
    private static final long RESERVED = 65_536;

    /// Hint where the findings about a damaged message are shown.
    private static final String EVIDENCE =
            ". 'winnow store verify' lists what was put aside, in a backup or in the store of a"
                    + " broker that is stopped";

    private final Shard shard;
    private final Timetable<StoredDestination> expirations;
    private final Timetable<StoredSubscription> delays;
    private long quarantined;

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

    /// Subscriptions that wait for a message to be in the log.
    enum Way {
        /// Nobody: it is not persistent.
        ALONE,

        /// Subscriptions that want it, if one of them survives the broker.
        STORED,

        /// Subscriptions that want it, because it is part of something larger.
        WITH_OTHERS
    }

    /// Takes a message as [Shard#append] says.
    void append(
            StoredDestination destination,
            byte[] block,
            MessageHeaders headers,
            String id,
            Outcome outcome) {
        Journal journal = shard.journal();
        if (shard.sentAgain().identifiers().contains(id)) {
            outcome.onTaken(shard, false);
            journal.waitFor(outcome, Durability.SYNCED);
            return;
        }
        if (shard.admission().refuses(destination, headers, outcome)) {
            return;
        }
        boolean stored =
                append(
                        destination,
                        block,
                        headers,
                        headers.persistent() ? Way.STORED : Way.ALONE,
                        null,
                        outcome.owner());
        shard.sentAgain().identifiers().add(journal.batch(), outcome.owner(), id, stored);
        outcome.onTaken(shard, stored);
        if (stored) {
            journal.waitFor(outcome, Durability.SYNCED);
        } else if (shard.window().isFull()) {
            // Older messages go to the log: what comes is confirmed no faster than that.
            journal.waitFor(outcome, Durability.WRITTEN);
        } else {
            journal.confirm(outcome);
        }
    }

    /// Takes a message that has no delay, unless it has expired or nobody wants it.
    ///
    /// @param body as in the method below
    /// @return whether the log gets it
    boolean append(
            StoredDestination wanted,
            byte[] block,
            MessageHeaders given,
            Way way,
            @Nullable LargeBody body) {
        return append(wanted, block, given, way, body, "");
    }

    /// Takes a message, unless nobody wants it, or it has expired and is not to be buried.
    ///
    /// @param block its block, which belongs to the shard from now on
    /// @param body in parts, which are in the log or on their way there; null if it is not. They
    ///   are deleted when no message needs them any more
    /// @param owner whose share its memory and its delay take
    /// @return whether the log gets it
    boolean append(
            StoredDestination wanted,
            byte[] block,
            MessageHeaders given,
            Way way,
            @Nullable LargeBody body,
            String owner) {
        StoredDestination destination = shard.registry().living(wanted);
        if (given.expired(shard.nowMillis()) && !shard.settlement().buriesExpired(destination)) {
            for (StoredSubscription subscription : destination.subscriptions()) {
                destination.counts().expired += subscription.wants(given) ? 1 : 0;
            }
            return false;
        }
        MessageHeaders headers =
                given.expiringAt(
                        destination.policy().expiration(given.expiration(), shard.nowMillis()));
        StoredMessage message =
                new StoredMessage(destination, destination.next(), block, headers, body);
        message.owner = shard.memory().owner(owner);
        boolean durable = false;
        for (StoredSubscription subscription : destination.subscriptions()) {
            if (subscription.wants(headers)) {
                message.references++;
                subscription.onAppended(message.sequence, message.bytes());
                shard.catalog().onChanged(subscription);
                shard.admission().onAppended(subscription);
                durable |= subscription.durable();
            }
        }
        if (message.references == 0) {
            return false;
        }
        take(message);
        boolean stored = durable && (way != Way.ALONE || body != null);
        if (stored) {
            store(message);
        }
        boolean waits = stored || way == Way.WITH_OTHERS || body != null;
        if (waits || destination.hasAppending(headers.persistent())) {
            shard.journal().add(message);
        } else {
            makeAvailable(message);
        }
        return stored;
    }

    private void take(StoredMessage message) {
        StoredDestination destination = message.destination;
        destination.takeSequence();
        destination.priorities().add(message.sequence, message.headers.priority());
        shard.catalog().onChanged(destination);
        destination.counts().appended++;
        destination.counts().appendedBytes += message.bytes();
        if (message.body != null) {
            shard.bodies().add(destination, message.sequence, message.body);
        }
        if (message.sequence >= destination.reserved && !destination.temporary()) {
            destination.reserved = message.sequence + RESERVED;
            ShardRows.put(shard.journal().batch(), destination);
        }
        shard.window().add(message);
        if (message.headers.expiration() != 0) {
            long now = shard.nowMillis();
            expirations.addLate(message.headers.expiration(), now, destination, message.sequence);
        }
    }

    private void store(StoredMessage message) {
        message.stored = true;
        shard.registry().keep(message.destination);
        message.destination.space().onStored(message.sequence);
        shard.names().require(shard.journal().batch(), message.maxNameId);
        Batch batch = shard.journal().batch();
        batch.owner(shard.memory().ofRows(message.owner));
        MessageRows.put(batch, message);
        batch.owner(null);
        shard.journal().addStored(message);
        for (StoredSubscription subscription : message.destination.subscriptions()) {
            if (subscription.expects(message.sequence)
                    && !subscription.progress().announced(message.sequence)
                    && subscription.lanes().hasReadyConsumer()) {
                shard.journal().announce(subscription, message.sequence);
            }
        }
    }

    /// The window has no room for a message that is not persistent. What was done with it before
    /// becomes part of the log, too.
    void spill(StoredMessage message) {
        store(message);
        for (StoredSubscription subscription : message.destination.subscriptions()) {
            if (subscription.wants(message.headers)) {
                if (!subscription.waiting().contains(message.sequence)) {
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
        MessageHeaders headers = message.headers;
        if (headers.expired(shard.nowMillis())) {
            shard.settlement().expire(subscription, message);
        } else if (headers.deliveryTime() > shard.nowMillis()) {
            delays.addEarly(
                    headers.deliveryTime(),
                    shard.nowMillis(),
                    subscription,
                    message.ownerName(),
                    message.sequence);
        } else {
            subscription.onAvailable(
                    message.sequence, headers.priority(), message.block, shard.dispatcher()::add);
        }
    }

    /// A message was there when the shard was opened, and a subscription has not acknowledged it.
    void onRecovered(StoredSubscription subscription, long sequence, MessageHeaders headers) {
        subscription.onAppended(sequence, headers.blockBytes());
        if (shard.transactions().holds(subscription, sequence)) {
            return;
        }
        Graves graves = shard.settlement().graves();
        if (headers.deliveryTime() > shard.nowMillis()) {
            delays.addEarly(headers.deliveryTime(), shard.nowMillis(), subscription, "", sequence);
        } else if (graves.takes(subscription, subscription.failedDeliveries(sequence))) {
            graves.onRecovered(subscription, sequence, headers.priority());
        } else {
            subscription.onAvailable(sequence, headers.priority(), null, shard.dispatcher()::add);
        }
    }

    /// The same, for a message that expires.
    void onRecovered(StoredDestination destination, long sequence, MessageHeaders headers) {
        expirations.addLate(headers.expiration(), shard.nowMillis(), destination, sequence);
    }

    /// Messages that were put aside.
    long quarantined() {
        return quarantined;
    }

    /// Messages cannot be used: nobody gets them any more, and what was found is kept beside. Says
    /// so in the log, with one line for all of them.
    void quarantine(StoredDestination destination, List<Damage> damaged) {
        List<Damage> needed = new ArrayList<>();
        for (Damage damage : damaged) {
            if (destination.inWindow(damage.sequence) == null && withdraw(destination, damage)) {
                damage.putAside(shard.journal().batch(), destination);
                needed.add(damage);
                quarantined++;
            }
        }
        if (needed.size() == 1) {
            Damage one = needed.getFirst();
            LOG.error(
                    "Message {} of {} was put aside: {}" + EVIDENCE,
                    one.sequence,
                    destination,
                    one.reason);
        } else if (needed.size() > 1) {
            LOG.error(
                    "{} messages of {}, from {} to {}, were put aside. The first: {}" + EVIDENCE,
                    needed.size(),
                    destination,
                    needed.getFirst().sequence,
                    needed.getLast().sequence,
                    needed.getFirst().reason);
        }
        destination.counts().damaged += needed.size();
    }

    /// @return whether a subscription needed it
    private boolean withdraw(StoredDestination destination, Damage damage) {
        boolean needed = false;
        for (StoredSubscription subscription : destination.subscriptions()) {
            if (subscription.expects(damage.sequence)) {
                needed = true;
                subscription.take(damage.sequence);
                int bytes = bytes(subscription, damage);
                subscription.onAcknowledged(damage.sequence, bytes, true);
                shard.catalog().onChanged(subscription);
                shard.journal().note(subscription);
            }
        }
        shard.bodies().onEnded(destination, damage.sequence);
        return needed;
    }

    /// Bytes of a message that cannot be used. Where nothing tells, it is taken for one as long as
    /// the others of a subscription, so that what these have is about right.
    private int bytes(StoredSubscription subscription, Damage damage) {
        int bytes = damage.bytes();
        if (bytes == 0) {
            bytes = shard.bodies().bytes(subscription.destination(), damage.sequence);
        }
        return bytes > 0 ? bytes : (int) (subscription.bytes() / subscription.messages());
    }

    /// A part of a body cannot be read: the message is put aside, wherever it is.
    void quarantine(StoredDestination destination, Damage damage) {
        StoredMessage message = destination.inWindow(damage.sequence);
        if (message != null) {
            shard.window().remove(message);
        }
        quarantine(destination, List.of(damage));
    }

    /// Keeps what was found of a message that cannot be used.
    void onDamageFound(StoredDestination destination, Damage damage) {
        damage.putAside(shard.journal().batch(), destination);
        quarantined++;
        destination.counts().damaged++;
        LOG.error(
                "Message {} of {} was put aside: {}" + EVIDENCE,
                damage.sequence,
                destination,
                damage.reason);
    }
}
