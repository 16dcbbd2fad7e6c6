package winnow.broker.shard;

import java.util.List;
import org.jspecify.annotations.Nullable;
import winnow.store.Durability;
import winnow.wire.DestinationKind;

/// Begin and end of destinations and subscriptions. Owned by the shard.
final class Registry {
    /// Idle destinations that are looked at for each new one.
    private static final int LOOKED_AT = 64;

    private final Shard shard;
    private final Ids ids;
    private final Timetable<StoredDestination> expirations;
    private final Timetable<StoredSubscription> delays;

    /// @param expirations,delays forget what has ended
    Registry(
            Shard shard,
            Ids ids,
            Timetable<StoredDestination> expirations,
            Timetable<StoredSubscription> delays) {
        this.shard = shard;
        this.ids = ids;
        this.expirations = expirations;
        this.delays = delays;
    }

    /// Reason why there is no room for another destination or subscription of an owner, null if
    /// there is. Before it says so, it lets destinations go that nobody uses: their next message
    /// makes them again.
    ///
    /// @param owner user or address, empty if it is not known
    /// @param bytes of heap that it takes
    @Nullable String full(String owner, long bytes) {
        Catalog catalog = shard.catalog();
        for (int left = LOOKED_AT; left > 0 && catalog.full(owner, bytes) != null; left--) {
            StoredDestination unused = catalog.takeIdle();
            if (unused == null) {
                break;
            }
            collect(unused);
        }
        return catalog.full(owner, bytes);
    }

    /// Charges a topic that gets a subscription to who makes that. If the share of that one has no
    /// room for it, too, it stays with nobody: who sends to it later has no part in it.
    void own(StoredDestination topic, String owner) {
        if (shard.catalog().charge(topic, owner) != null) {
            topic.owner = "";
        }
    }

    /// Charges a destination to the first who sends to it. Before it says that there is no room in
    /// the sender's share, it lets destinations go that nobody uses.
    ///
    /// @return why there is no room, null if there is
    @Nullable String charge(StoredDestination destination, String owner) {
        Catalog catalog = shard.catalog();
        String refusal = catalog.charge(destination, owner);
        if (refusal == null) {
            return null;
        }
        for (int left = LOOKED_AT; left > 0 && refusal != null; left--) {
            StoredDestination unused = catalog.takeIdle();
            if (unused == null) {
                break;
            }
            if (!unused.equals(destination)) {
                collect(unused);
                refusal = catalog.charge(destination, owner);
            }
        }
        catalog.onIdle(destination);
        return refusal;
    }

    StoredDestination create(DestinationKind kind, String name, boolean temporary) {
        boolean admitted = temporary || full("", 0) == null;
        int id =
                temporary
                        ? ids.nextFleeting(shard.journal().batch())
                        : ids.next(shard.journal().batch());
        StoredDestination made = new StoredDestination(id, kind, name, temporary, 0);
        made.admitted = admitted;
        made.setPolicy(shard.config().policies().of(kind, name));
        shard.catalog().add(made);
        if (!temporary) {
            keep(made);
        }
        if (kind == DestinationKind.QUEUE) {
            create(made, temporary ? SubscriptionName.TEMPORARY_QUEUE : SubscriptionName.QUEUE, "");
        }
        return made;
    }

    /// The log gets a destination's row, if it has it not.
    void keep(StoredDestination destination) {
        if (!destination.inLog) {
            destination.inLog = true;
            ShardRows.put(shard.journal().batch(), destination);
        }
    }

    /// @param owner whose share of the catalog it takes, empty if nobody's
    StoredSubscription create(StoredDestination destination, SubscriptionName name, String owner) {
        int id =
                destination.temporary()
                        ? ids.nextFleeting(shard.journal().batch())
                        : ids.next(shard.journal().batch());
        StoredSubscription made = new StoredSubscription(id, destination, name);
        made.owner = owner;
        shard.catalog().add(made);
        if (made.durable()) {
            ShardRows.put(shard.journal().batch(), made);
            // Its progress says that earlier messages are none of its.
            shard.journal().note(made);
        }
        return made;
    }

    /// @throws IllegalStateException if it has consumers
    void unsubscribe(StoredSubscription subscription, Outcome outcome) {
        requireUnused(subscription);
        if (shard.journal().refuses(outcome)) {
            return;
        }
        end(subscription);
        confirm(outcome, subscription.durable());
    }

    private static void requireUnused(StoredSubscription subscription) {
        if (subscription.consumers() > 0) {
            throw new IllegalStateException(
                    subscription + " has " + subscription.consumers() + " consumers");
        }
    }

    void confirm(Outcome outcome, boolean durable) {
        if (durable) {
            shard.journal().waitFor(outcome, Durability.SYNCED);
        } else {
            shard.journal().confirm(outcome);
        }
    }

    private void end(StoredSubscription subscription) {
        StoredDestination destination = subscription.destination();
        shard.catalog().remove(subscription);
        dereference(destination, subscription);
        destination.space().onEnded(subscription, shard.config().deletedTogether());
        subscription.end();
        shard.catalog().onIdle(destination);
        shard.bodies().onEnded(destination);
        delays.forget(subscription);
        shard.settlement().forget(subscription);
        shard.journal().forget(subscription);
    }

    /// Lets go what only the subscription needed of the messages in memory, which may be fewer than
    /// its own.
    private void dereference(StoredDestination destination, StoredSubscription subscription) {
        if (subscription.messages() < destination.messagesInWindow()) {
            subscription
                    .outstanding()
                    .forEach(sequence -> shard.settlement().dereference(destination, sequence));
            return;
        }
        for (StoredMessage message : destination.inWindow()) {
            if (subscription.expects(message.sequence)) {
                shard.settlement().dereference(destination, message.sequence);
            }
        }
    }

    /// @throws IllegalStateException if it has consumers, or a prepared transaction needs it
    void remove(StoredDestination destination, Outcome outcome) {
        destination.subscriptions().forEach(Registry::requireUnused);
        if (!destination.temporary() && shard.transactions().needs(destination)) {
            throw new IllegalStateException(
                    destination + " is part of a transaction that is prepared");
        }
        if (shard.journal().refuses(outcome)) {
            return;
        }
        remove(destination);
        confirm(outcome, !destination.temporary());
    }

    private void remove(StoredDestination destination) {
        for (StoredSubscription subscription : List.copyOf(destination.subscriptions())) {
            end(subscription);
            release(destination, subscription.id());
        }
        destination.inWindow().forEach(shard.window()::remove);
        expirations.forget(destination);
        shard.catalog().remove(destination);
        destination.onRemoved();
        shard.formerCounts().add(destination.counts());
        if (destination.inLog) {
            ShardRows.delete(shard.journal().batch(), destination);
        }
        release(destination, destination.id());
    }

    private void release(StoredDestination destination, int id) {
        if (destination.temporary() && !destination.inLog) {
            ids.free(id);
        }
    }

    /// @return whether it was removed: nobody used it
    boolean collect(StoredDestination destination) {
        if (destination.removed()
                || destination.pinned
                || destination.paused()
                || shard.journal().failure().isPresent()
                || shard.transactions().needs(destination)) {
            return false;
        }
        boolean queue = destination.kind() == DestinationKind.QUEUE;
        for (StoredSubscription subscription : destination.subscriptions()) {
            if (!queue || subscription.messages() > 0 || subscription.consumers() > 0) {
                return false;
            }
        }
        remove(destination);
        return true;
    }

    /// The destination that messages for `destination` go to: another one of that name, if it was
    /// removed meanwhile. A temporary one stays away.
    StoredDestination living(StoredDestination destination) {
        if (!destination.removed() || destination.temporary()) {
            return destination;
        }
        return destination.kind() == DestinationKind.QUEUE
                ? shard.queue(destination.name())
                : shard.topic(destination.name());
    }
}
