package winnow.broker.routing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.destination.Temporaries;
import winnow.broker.destination.Topic;
import winnow.broker.matching.RefusedException;
import winnow.broker.matching.SelectorSpacing;
import winnow.broker.matching.SubscriptionFilter;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredDestination;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.shard.SubscriptionName;
import winnow.broker.storage.Storage;
import winnow.broker.subscription.StoredRecipient;
import winnow.selector.check.SelectorLimits;
import winnow.selector.engine.Selector;
import winnow.store.LogException;
import winnow.wire.DestinationKind;
import winnow.wire.ErrorCode;

/// The named subscriptions of all topics: durable ones, shared ones and both (Jakarta Messaging
/// 3.1, 8.3). Each is a subscription of the storage, which keeps its messages, and a recipient in
/// its topic, by which messages find it. Owned by the shard's thread.
public final class NamedSubscriptions {
    private static final Logger LOG = LoggerFactory.getLogger(NamedSubscriptions.class);

    private final Storage storage;
    private final DestinationRegistry registry;
    private final Map<Key, Named> byKey = new HashMap<>();

    /// Subscriptions that are durable and those that are not have names of their own.
    private record Key(boolean durable, String clientId, String name) {
        static Key of(SubscriptionName name) {
            return new Key(name.durable(), name.clientId(), name.subscription());
        }
    }

    private static final class Named {
        final Key key;
        final Topic topic;
        final StoredRecipient recipient;

        /// Another one when the storage has been opened again.
        StoredSubscription stored;

        int consumers;

        /// True if its topic has it, or is about to.
        boolean installing;

        /// True if its topic has it.
        boolean ready;

        /// Reason why it gets no messages, null if it does.
        @Nullable String unusable;

        /// Consumers that wait until it is ready.
        final List<Waiter> waiting = new ArrayList<>();

        Named(StoredSubscription stored, Topic topic) {
            this.stored = stored;
            this.topic = topic;
            SubscriptionName name = stored.name();
            this.key = Key.of(name);
            this.recipient =
                    new StoredRecipient(
                            stored.id(),
                            name.subscription(),
                            "subscription " + name.display(),
                            name.noLocal() ? name.clientId() : "");
            recipient.delayedFrom(name.delayedFrom());
        }

        /// True if what a storage has found is this one, so that its topic need not change.
        boolean isFoundIn(StoredSubscription found) {
            return installing
                    && stored.id() == found.id()
                    && stored.name().equals(found.name())
                    && topic.name().equals(found.destination().name());
        }

        /// The storage has been opened again: the sessions of its consumers have ended.
        void onFound(StoredSubscription found) {
            stored = found;
            consumers = 0;
            waiting.clear();
        }
    }

    /// A consumer that waits for its subscription; one of the two is called.
    private record Waiter(Consumer<StoredSubscription> ready, Consumer<RefusedException> refused) {}

    /// Subscription that a client wants.
    ///
    /// @param name what identifies it, and its filter
    /// @param selector the filter parsed and prepared for an index, null if there is none
    /// @param owner user, or address of a client without one
    /// @param sees tells of which subscriptions a refusal may say more than that they are there
    public record Wish(
            String topic,
            SubscriptionName name,
            @Nullable Selector selector,
            String owner,
            Predicate<StoredSubscription> sees) {
        private Key key() {
            return Key.of(name);
        }
    }

    public NamedSubscriptions(Storage storage, DestinationRegistry registry) {
        this.storage = storage;
        this.registry = registry;
    }

    /// Takes up what a storage has found, before it is started: the topics have all subscriptions
    /// when the future is complete. One that cannot be used stops no other.
    public CompletableFuture<Void> recover(Shard shard, SelectorLimits limits) {
        return takeUp(shard, limits, Map.of());
    }

    /// Takes up what has been found when a storage was opened again. What was known before stays in
    /// its topic, so that it misses no message that is published meanwhile.
    public void reopen(Shard shard, SelectorLimits limits) {
        Map<Key, Named> before = Map.copyOf(byKey);
        byKey.clear();
        takeUp(shard, limits, before);
        for (Named known : before.values()) {
            if (!known.equals(byKey.get(known.key)) && known.installing == known.ready) {
                uninstall(known);
            }
        }
    }

    private CompletableFuture<Void> takeUp(
            Shard shard, SelectorLimits limits, Map<Key, Named> before) {
        List<CompletableFuture<Void>> installations = new ArrayList<>();
        for (StoredSubscription found : List.copyOf(shard.catalog().subscriptions())) {
            if (found.destination().kind() != DestinationKind.TOPIC) {
                continue;
            }
            Named known = before.get(Key.of(found.name()));
            if (Temporaries.isTemporary(found.destination().name())) {
                LOG.warn(
                        "Subscription '{}' of {} has ended: a temporary topic ends with the"
                                + " connection that made it",
                        found.name().display(),
                        found.destination().name());
                shard.unsubscribe(found, Outcome.IGNORED);
            } else if (known != null && known.isFoundIn(found)) {
                known.onFound(found);
                byKey.put(known.key, known);
            } else {
                installations.add(recover(found, limits));
            }
        }
        return CompletableFuture.allOf(installations.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> recover(StoredSubscription found, SelectorLimits limits) {
        Named named = new Named(found, registry.acquireStoredTopic(found.destination().name()));
        byKey.put(named.key, named);
        Selector selector;
        try {
            Selector parsed = filter(found.name()).parse(limits);
            selector = parsed == null ? null : named.topic.prepared(parsed);
        } catch (RuntimeException e) {
            onUnusable(named, "its selector cannot be used: " + e.getMessage(), e);
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> settled = new CompletableFuture<>();
        install(
                named,
                selector,
                () -> settled.complete(null),
                fault -> {
                    storage.execute(shard -> onNotRecovered(named, fault));
                    settled.complete(null);
                });
        return settled;
    }

    private void onNotRecovered(Named named, Throwable fault) {
        if (named.equals(byKey.get(named.key))) {
            onUnusable(named, fault.toString(), fault);
        } else {
            uninstall(named);
        }
    }

    /// Logs that it is unusable; what it has is kept, for another version may be able to use it.
    private static void onUnusable(Named named, String why, Throwable cause) {
        LOG.error(
                "Subscription '{}' of topic '{}' gets no messages, until it is deleted or replaced;"
                        + " what waits in it is kept. {}",
                named.stored.name().display(),
                named.topic.name(),
                why,
                cause);
        named.installing = false;
        named.unusable = why;
        RefusedException refused = unusable(named, true);
        named.waiting.forEach(waiter -> waiter.refused.accept(refused));
        named.waiting.clear();
    }

    private static RefusedException unusable(Named known, boolean seen) {
        return new RefusedException(
                ErrorCode.INTERNAL_ERROR,
                "subscription '"
                        + known.stored.name().display()
                        + "' cannot be used, delete it"
                        + (seen ? ": " + known.unusable : ""));
    }

    private static SubscriptionFilter filter(SubscriptionName name) {
        return new SubscriptionFilter(name.selector(), name.correlationFilter());
    }

    /// Finds or makes a subscription for a new consumer. [#leave] takes the consumer back.
    ///
    /// @param ready called when messages that are published from then on reach it
    /// @param refused called if the consumer cannot have it
    public void join(
            Shard shard,
            Wish wish,
            Consumer<StoredSubscription> ready,
            Consumer<RefusedException> refused) {
        Named known = byKey.get(wish.key());
        try {
            if (known != null && known.stored.name().shared() != wish.name().shared()) {
                throw inUse(known, wish.name().shared() ? "is not shared" : "is shared");
            }
            if (known != null && !fits(known, wish)) {
                requireUnused(known, wish.sees());
                requireSettled(shard, known, wish.sees());
                requireWritable(shard);
                end(shard, known, Outcome.IGNORED);
                known = null;
            }
            if (known != null && known.unusable != null) {
                throw unusable(known, wish.sees().test(known.stored));
            }
            if (known != null && known.consumers > 0 && !wish.name().shared()) {
                throw inUse(known, "has a consumer");
            }
            Named joined = known == null ? create(shard, wish) : known;
            joined.consumers++;
            if (joined.ready) {
                ready.accept(joined.stored);
            } else {
                joined.waiting.add(new Waiter(ready, refused));
            }
        } catch (RefusedException e) {
            refused.accept(e);
        }
    }

    /// True if a consumer may share what is there. White space between the words of a selector does
    /// not make it another one.
    private static boolean fits(Named known, Wish wish) {
        SubscriptionName name = known.stored.name();
        return known.topic.name().equals(wish.topic())
                && (name.equals(wish.name()) || spaced(name).equals(spaced(wish.name())));
    }

    private static SubscriptionName spaced(SubscriptionName name) {
        return name.withSelector(SelectorSpacing.least(name.selector()));
    }

    /// A subscription that has no consumer may be replaced.
    private static void requireUnused(Named known, Predicate<StoredSubscription> sees) {
        if (known.consumers > 0) {
            throw inUse(
                    known,
                    sees.test(known.stored)
                            ? "has consumers, for topic '"
                                    + known.topic.name()
                                    + "' with selector '"
                                    + known.stored.name().selector()
                                    + "'"
                            : "has consumers, for another topic or selector");
        }
    }

    /// Refuses while messages that were received may come again (8.3.3).
    private static void requireSettled(
            Shard shard, Named known, Predicate<StoredSubscription> sees) {
        int unsettled = known.stored.unacknowledged() + shard.transactions().held(known.stored);
        if (unsettled > 0) {
            throw inUse(
                    known,
                    "has "
                            + (sees.test(known.stored) ? unsettled + " " : "")
                            + "messages that were delivered and are not acknowledged, or are part"
                            + " of a transaction: acknowledge, commit or roll back");
        }
    }

    /// Refuses to end what cannot be ended in the storage: it must not miss a message.
    private static void requireWritable(Shard shard) {
        shard.failure()
                .ifPresent(failure -> {
                    throw unavailable(failure);
                });
    }

    private static RefusedException inUse(Named known, String why) {
        return new RefusedException(
                ErrorCode.SUBSCRIPTION_IN_USE,
                "subscription '" + known.stored.name().display() + "' " + why);
    }

    private Named create(Shard shard, Wish wish) {
        String full = shard.full(wish.owner(), StoredSubscription.heapBytes(wish.name()));
        if (full != null) {
            throw new RefusedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "subscription '" + wish.name().display() + "' cannot be made: " + full);
        }
        Topic topic = registry.acquireTopic(wish.topic());
        StoredDestination destination = topic.stored().in(shard);
        if (destination == null) {
            throw new IllegalStateException("a topic is always found or made");
        }
        Outcome written =
                new Outcome() {
                    @Override
                    public String owner() {
                        return wish.owner();
                    }

                    @Override
                    public void onDone() {
                        if (!destination.removed()) {
                            install(wish);
                        }
                    }

                    @Override
                    public void onFailed(LogException failure) {
                        // Otherwise another shard has taken the place of this one.
                        if (!destination.removed()) {
                            giveUp(wish.key(), unavailable(failure));
                        }
                    }
                };
        SubscriptionName name = wish.name().from(DelayedTopics.next(shard, wish.topic()));
        Named made = new Named(shard.subscribe(destination, name, written), topic);
        byKey.put(made.key, made);
        return made;
    }

    /// A subscription could not be made.
    private void giveUp(Key key, RefusedException why) {
        Named made = byKey.remove(key);
        if (made != null) {
            uninstall(made);
            made.waiting.forEach(waiter -> waiter.refused.accept(why));
        }
    }

    /// Refusal that a client is told when the log takes no more.
    public static RefusedException unavailable(LogException failure) {
        return new RefusedException(
                ErrorCode.STORE_UNAVAILABLE,
                "the store takes no more messages: " + failure.getMessage());
    }

    private void install(Wish wish) {
        Named made = byKey.get(wish.key());
        if (made != null) {
            install(
                    made,
                    wish.selector(),
                    () -> {},
                    fault -> storage.execute(shard -> onNotInstalled(shard, made, fault)));
        }
    }

    /// @param added,failed called on the loop of the topic
    private void install(
            Named named, @Nullable Selector selector, Runnable added, Consumer<Throwable> failed) {
        named.installing = true;
        named.topic.add(
                named.recipient,
                filter(named.stored.name()),
                selector,
                () -> {
                    storage.execute(shard -> onInstalled(named));
                    added.run();
                },
                failed);
    }

    private void onInstalled(Named made) {
        made.ready = true;
        if (!made.equals(byKey.get(made.key))) {
            // It was not found when the storage was opened again meanwhile.
            uninstall(made);
        }
        made.waiting.forEach(waiter -> waiter.ready.accept(made.stored));
        made.waiting.clear();
    }

    private void onNotInstalled(Shard shard, Named made, Throwable fault) {
        LOG.error("Subscription '{}' was not added", made.stored.name().display(), fault);
        if (made.equals(byKey.get(made.key))) {
            giveUp(
                    made.key,
                    new RefusedException(ErrorCode.INTERNAL_ERROR, "subscription: " + fault));
            shard.unsubscribe(made.stored, Outcome.IGNORED);
        } else {
            uninstall(made);
        }
    }

    /// A consumer has gone: a subscription that is not durable ends with its last one.
    public void leave(Shard shard, StoredSubscription stored) {
        Named left = byKey.get(Key.of(stored.name()));
        if (left != null && left.stored.equals(stored)) {
            left.consumers--;
            if (left.consumers == 0 && !stored.durable()) {
                end(shard, left, Outcome.IGNORED);
            }
        }
    }

    /// Ends a durable subscription.
    ///
    /// @param sees as of [Wish]
    /// @param outcome when that is on the disk
    /// @throws RefusedException if there is none with that name, it has a consumer or messages that
    ///   are not acknowledged (8.3.3), or the log takes no more
    public void delete(
            Shard shard,
            String clientId,
            String name,
            Predicate<StoredSubscription> sees,
            Outcome outcome) {
        Named known = byKey.get(new Key(true, clientId, name));
        if (known == null) {
            throw new RefusedException(
                    ErrorCode.UNKNOWN_SUBSCRIPTION,
                    "there is no durable subscription '"
                            + name
                            + "'"
                            + (clientId.isEmpty() ? "" : " of client '" + clientId + "'"));
        }
        if (known.consumers > 0) {
            throw inUse(known, "has a consumer");
        }
        requireSettled(shard, known, sees);
        requireWritable(shard);
        end(shard, known, outcome);
    }

    private void end(Shard shard, Named ending, Outcome outcome) {
        byKey.remove(ending.key);
        uninstall(ending);
        shard.unsubscribe(ending.stored, outcome);
    }

    private void uninstall(Named ending) {
        Topic topic = ending.topic;
        topic.owner()
                .execute(() -> {
                    try {
                        topic.remove(ending.recipient);
                    } finally {
                        registry.release(topic);
                    }
                });
    }
}
