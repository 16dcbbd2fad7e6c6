package winnow.broker.destination;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
    private record Key(boolean durable, String clientId, String name) {}

    private static final class Named {
        final Key key;
        final StoredSubscription stored;
        final Topic topic;
        final StoredRecipient recipient;
        int consumers;

        /// Whether its topic has it.
        boolean ready;

        /// Who waits for that.
        final List<Waiter> waiting = new ArrayList<>();

        Named(Key key, StoredSubscription stored, Topic topic) {
            this.key = key;
            this.stored = stored;
            this.topic = topic;
            SubscriptionName name = stored.name();
            this.recipient =
                    new StoredRecipient(
                            stored.id(),
                            "subscription " + name.display(),
                            name.noLocal() ? name.clientId() : "");
        }
    }

    /// A consumer that waits for its subscription; one of the two is called.
    private record Waiter(Consumer<StoredSubscription> ready, Consumer<RefusedException> refused) {}

    /// What a client wants.
    ///
    /// @param name what identifies it, and its filter
    /// @param selector the filter parsed and prepared for an index, null if there is none
    public record Wish(String topic, SubscriptionName name, @Nullable Selector selector) {
        private Key key() {
            return new Key(name.durable(), name.clientId(), name.subscription());
        }
    }

    public NamedSubscriptions(Storage storage, DestinationRegistry registry) {
        this.storage = storage;
        this.registry = registry;
    }

    /// Takes up what a storage has found, before it is started: the topics have all subscriptions
    /// when the future is complete.
    ///
    /// @throws IllegalStateException if a stored selector cannot be used
    public CompletableFuture<Void> recover(Shard shard, SelectorLimits limits) {
        List<CompletableFuture<Void>> installations = new ArrayList<>();
        for (StoredSubscription stored : List.copyOf(shard.catalog().subscriptions())) {
            if (stored.destination().kind() == DestinationKind.TOPIC) {
                installations.add(recover(stored, limits));
            }
        }
        return CompletableFuture.allOf(installations.toArray(CompletableFuture[]::new));
    }

    /// Takes up what has been found when a storage was opened again.
    public void reopen(Shard shard, SelectorLimits limits) {
        List<Named> before = List.copyOf(byKey.values());
        byKey.clear();
        before.forEach(this::uninstall);
        recover(shard, limits)
                .exceptionally(failure -> {
                    LOG.error("A stored subscription was not found again", failure);
                    return null;
                });
    }

    private CompletableFuture<Void> recover(StoredSubscription stored, SelectorLimits limits) {
        SubscriptionName name = stored.name();
        Topic topic = registry.acquireTopic(stored.destination().name());
        Key key = new Key(name.durable(), name.clientId(), name.subscription());
        Named named = new Named(key, stored, topic);
        named.ready = true;
        byKey.put(key, named);
        SubscriptionFilter filter = filter(name);
        Selector selector;
        try {
            selector = filter.parse(limits);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "subscription '"
                            + name.display()
                            + "' of topic '"
                            + topic.name()
                            + "': its selector cannot be used: "
                            + e.getMessage(),
                    e);
        }
        CompletableFuture<Void> installed = new CompletableFuture<>();
        topic.add(
                named.recipient,
                filter,
                selector == null ? null : topic.prepared(selector),
                () -> installed.complete(null),
                installed::completeExceptionally);
        return installed;
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
                requireUnused(known);
                end(shard, known, Outcome.IGNORED);
                known = null;
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

    /// Whether a consumer may share what is there.
    private static boolean fits(Named known, Wish wish) {
        SubscriptionName name = known.stored.name();
        return known.topic.name().equals(wish.topic()) && name.equals(wish.name());
    }

    /// A subscription that has no consumer may be replaced.
    private static void requireUnused(Named known) {
        if (known.consumers > 0) {
            throw inUse(
                    known,
                    "has consumers, for topic '"
                            + known.topic.name()
                            + "' with selector '"
                            + known.stored.name().selector()
                            + "'");
        }
    }

    private static RefusedException inUse(Named known, String why) {
        return new RefusedException(
                ErrorCode.SUBSCRIPTION_IN_USE,
                "subscription '" + known.stored.name().display() + "' " + why);
    }

    private Named create(Shard shard, Wish wish) {
        String full = shard.catalog().full();
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
                    public void onDone() {
                        install(wish);
                    }

                    @Override
                    public void onFailed(LogException failure) {
                        giveUp(wish.key(), unavailable(failure));
                    }
                };
        Named made =
                new Named(wish.key(), shard.subscribe(destination, wish.name(), written), topic);
        byKey.put(wish.key(), made);
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

    /// What a client is told when the log takes no more.
    public static RefusedException unavailable(LogException failure) {
        return new RefusedException(
                ErrorCode.STORE_UNAVAILABLE,
                "the store takes no more messages: " + failure.getMessage());
    }

    private void install(Wish wish) {
        Named made = byKey.get(wish.key());
        if (made != null) {
            made.topic.add(
                    made.recipient,
                    filter(wish.name()),
                    wish.selector(),
                    () -> storage.execute(shard -> onInstalled(made)),
                    fault -> storage.execute(shard -> onNotInstalled(shard, made, fault)));
        }
    }

    private static void onInstalled(Named made) {
        made.ready = true;
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
        }
    }

    /// A consumer has gone: a subscription that is not durable ends with its last one.
    public void leave(Shard shard, StoredSubscription stored) {
        SubscriptionName name = stored.name();
        Named left = byKey.get(new Key(name.durable(), name.clientId(), name.subscription()));
        if (left != null && left.stored.equals(stored)) {
            left.consumers--;
            if (left.consumers == 0 && !name.durable()) {
                end(shard, left, Outcome.IGNORED);
            }
        }
    }

    /// Ends a durable subscription.
    ///
    /// @param outcome when that is on the disk
    /// @throws RefusedException if there is none with that name, or it has a consumer
    public void delete(Shard shard, String clientId, String name, Outcome outcome) {
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
