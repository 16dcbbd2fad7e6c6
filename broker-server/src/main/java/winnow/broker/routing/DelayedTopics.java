package winnow.broker.routing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.Topic;
import winnow.broker.fault.FaultOwner;
import winnow.broker.shard.DelayedFrom;
import winnow.broker.shard.MessageHeaders;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Return;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredConsumer;
import winnow.broker.shard.StoredDestination;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.storage.Storage;
import winnow.broker.storage.StoredReference;
import winnow.broker.subscription.DelayedMessage;
import winnow.broker.subscription.Loop;
import winnow.store.Durability;
import winnow.wire.DestinationKind;
import winnow.wire.MessageBlock;
import winnow.wire.Protocol;
import winnow.wire.Xid;

/// Messages to topics that must not be delivered yet (Jakarta Messaging 3.1, 7.9), or whose
/// transaction was prepared: each waits in a queue of its topic's, and is published when its time
/// has come, or the transaction is committed. Owned by the shard's thread.
public final class DelayedTopics {
    /// Prefix of the names of these queues; the topic's name follows.
    public static final String PREFIX = Protocol.DELAYED_PREFIX;

    /// Messages of one topic that are being published at the same time.
    private static final int TOGETHER = 64;

    private static final int BYTES_TOGETHER = 1 << 20;

    private final Storage storage;
    private final DestinationRegistry registry;
    private final Function<Loop, Router> routers;
    private final Map<String, StoredDestination> watched = new HashMap<>();

    /// Topics that have such messages. Written by the shard's thread, read by all.
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();

    /// By loop; each is used on its loop.
    private final Map<Loop, MatchQueue> matches = new ConcurrentHashMap<>();

    private final FaultOwner nobody = fault -> {};

    /// @param routers finds the router of a loop
    public DelayedTopics(
            Storage storage, DestinationRegistry registry, Function<Loop, Router> routers) {
        this.storage = storage;
        this.registry = registry;
        this.routers = routers;
    }

    /// True if a message has to wait.
    public static boolean waits(MessageBlock block) {
        return block.has(MessageBlock.HAS_DELIVERY_TIME)
                && block.deliveryTime() > System.currentTimeMillis();
    }

    /// Queue in which the delayed messages of a topic wait. Any thread.
    public StoredReference reference(Topic topic) {
        return new StoredReference(DestinationKind.QUEUE, PREFIX + topic.name(), this::watch);
    }

    /// Queue in which the messages of a topic wait that may be rolled back: nobody watches them
    /// before [#commit]. Any thread.
    public StoredReference prepared(Topic topic) {
        return new StoredReference(DestinationKind.QUEUE, PREFIX + topic.name());
    }

    /// True if delayed messages of a topic wait. Any thread.
    public boolean waitsFor(Topic topic) {
        return waiting.contains(topic.name());
    }

    /// The delayed message of a topic that is sent next. Shard's thread.
    public static DelayedFrom next(Shard shard, String topic) {
        return shard.catalog()
                .findQueue(PREFIX + topic)
                .map(queue -> new DelayedFrom(queue.id(), queue.next()))
                .orElse(DelayedFrom.ALL);
    }

    /// Takes up what a storage has found, before it is started or when it has been opened again.
    public void recover(Shard shard) {
        watched.clear();
        waiting.clear();
        for (StoredDestination found : List.copyOf(shard.catalog().destinations())) {
            if (found.kind() == DestinationKind.QUEUE && found.name().startsWith(PREFIX)) {
                watch(shard, found);
            }
        }
    }

    /// Commits a prepared transaction. What it sends to topics waits in their queues until then.
    /// Shard's thread.
    ///
    /// @param unknown called instead of [Outcome#onDone] if there is none with that name
    public void commit(Shard shard, Xid xid, Outcome outcome, Runnable unknown) {
        for (StoredDestination to : shard.transactions().destinations(xid)) {
            if (to.kind() == DestinationKind.QUEUE && to.name().startsWith(PREFIX)) {
                watch(shard, to);
            }
        }
        shard.transactions().commit(xid, outcome, unknown);
    }

    private void watch(Shard shard, StoredDestination queue) {
        StoredDestination known = watched.get(queue.name());
        if (known != null && !known.removed()) {
            return;
        }
        watched.put(queue.name(), queue);
        String topic = queue.name().substring(PREFIX.length());
        waiting.add(topic);
        shard.onCredit(new Watch(shard, queue, topic).consumer, TOGETHER, BYTES_TOGETHER);
    }

    /// Takes the delayed messages of a topic whose time has come, while there is memory for their
    /// recipients; where there is none one at a time, since nobody else would free what they take.
    private final class Watch implements StoredConsumer.Receiver {
        private final Shard shard;
        private final String topic;
        private final StoredConsumer consumer;

        Watch(Shard shard, StoredDestination queue, String topic) {
            this.shard = shard;
            this.topic = topic;
            this.consumer = shard.attach(queue.queue(), null, this);
        }

        @Override
        public boolean ready() {
            return consumer.unacknowledged() == 0 || shard.memory().hasRoom(consumer);
        }

        @Override
        public void onMessage(
                StoredConsumer its, long sequence, int earlier, byte[] block, int maxNameId) {
            publish(its, sequence, topic, block);
        }
    }

    /// The next delayed message of the topic makes its queue be watched again; until then it may be
    /// forgotten.
    private void leaveIfEmpty(Shard shard, StoredConsumer consumer) {
        StoredSubscription queue = consumer.subscription();
        if (queue.messages() == 0) {
            String name = queue.destination().name();
            watched.remove(name);
            waiting.remove(name.substring(PREFIX.length()));
            shard.detach(consumer, Return.UNSEEN);
        }
    }

    private void publish(StoredConsumer consumer, long sequence, String name, byte[] bytes) {
        if (registry.temporaries().isGone(DestinationKind.TOPIC, name)) {
            storage.execute(shard -> onPublished(shard, consumer, sequence, bytes.length));
            return;
        }
        Topic topic = registry.acquireStoredTopic(name);
        storage.tell(
                topic.owner(),
                nobody,
                () -> matches(topic.owner()).add(new Due(consumer, sequence, topic, bytes)));
    }

    private MatchQueue matches(Loop loop) {
        return matches.computeIfAbsent(
                loop,
                owner ->
                        new MatchQueue(
                                registry.work(owner),
                                routers.apply(owner),
                                nobody,
                                MatchQueue.Reading.NONE));
    }

    /// A message whose time has come: live subscriptions get it, and then stored ones. Owned by the
    /// topic's loop.
    private final class Due implements MatchQueue.Series {
        private final StoredConsumer consumer;
        private final long sequence;
        private final Topic topic;
        private final byte[] bytes;
        private final MessageBlock block = new MessageBlock();
        private boolean begun;

        Due(StoredConsumer consumer, long sequence, Topic topic, byte[] bytes) {
            this.consumer = consumer;
            this.sequence = sequence;
            this.topic = topic;
            this.bytes = bytes;
        }

        @Override
        public boolean hasNext() {
            return !begun;
        }

        @Override
        public void next() {
            begun = true;
            block.parseFields(bytes, 0, bytes.length);
            int queue = consumer.subscription().destination().id();
            DelayedMessage producer = new DelayedMessage(queue, sequence);
            matches(topic.owner()).match(topic, block, producer, Audience.LIVE_AND_STORED, this);
        }

        @Override
        public void onMatched(MatchResult result) {
            MessageHeaders headers = result.headers();
            Router router = routers.apply(topic.owner());
            router.deliver();
            router.endBatch();
            published(headers);
        }

        @Override
        public void onFault(Throwable fault) {
            registry.release(topic);
            topic.owner().faults().onFault(nobody, fault);
        }

        private void published(@Nullable MessageHeaders headers) {
            StoredReference stored = topic.stored();
            registry.release(topic);
            storage.execute(shard -> {
                if (consumer.subscription().destination().removed()) {
                    // Another shard has taken the place of the consumer's; it publishes it again.
                    return;
                }
                StoredDestination destination = headers == null ? null : stored.in(shard);
                if (destination != null && headers != null) {
                    StoredDestination from = consumer.subscription().destination();
                    shard.transactions().forward(from, sequence, destination, bytes, headers);
                }
                onPublished(shard, consumer, sequence, bytes.length);
            });
        }
    }

    private void onPublished(Shard shard, StoredConsumer consumer, long sequence, int bytes) {
        shard.acknowledge(consumer, new long[] {sequence}, Durability.WRITTEN, Outcome.IGNORED);
        shard.onCredit(consumer, 1, bytes);
        leaveIfEmpty(shard, consumer);
    }
}
