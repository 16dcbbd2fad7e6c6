package winnow.broker.storage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import winnow.broker.shard.Browser;
import winnow.broker.shard.DeliveryShare;
import winnow.broker.shard.LargeBody;
import winnow.broker.shard.MessageFilter;
import winnow.broker.shard.Outcome;
import winnow.broker.shard.Return;
import winnow.broker.shard.SequenceMap;
import winnow.broker.shard.Shard;
import winnow.broker.shard.StoredConsumer;
import winnow.broker.shard.StoredSubscription;
import winnow.broker.shard.StoredTransaction;
import winnow.store.Durability;
import winnow.wire.DeliveryRanges;

/// One session of a client as its shard sees it: its consumers, and which of its deliveries are
/// unacknowledged. Owned by the shard's thread.
public final class StoredSession {
    private final int number;
    private final Consumer<StoredSession> onEnd;
    private final Shard shard;
    private final SessionDeliveries deliveries;
    private final SessionTarget target;
    private final Map<Integer, Receiver> consumers = new HashMap<>();
    private final Map<Integer, Browser> browsers = new HashMap<>();

    /// By delivery id.
    private final SequenceMap<Delivered> unacknowledged = new SequenceMap<>();

    private long lastDelivery;
    private boolean ended;

    private static final class Delivered {
        private final long id;
        private final StoredConsumer consumer;
        private final long sequence;

        /// True if the application is known to have it.
        private boolean seen;

        Delivered(long id, StoredConsumer consumer, long sequence) {
            this.id = id;
            this.consumer = consumer;
            this.sequence = sequence;
        }

        /// @param told what the client says that the application has
        boolean wasSeen(DeliveryRanges told) {
            return seen || told.contains(id);
        }
    }

    /// @param number that the client uses for it
    /// @param onEnd called when it has ended
    StoredSession(
            Shard shard,
            Outbox outbox,
            SessionTarget target,
            int number,
            Consumer<StoredSession> onEnd) {
        this.onEnd = onEnd;
        this.number = number;
        this.shard = shard;
        this.deliveries = new SessionDeliveries(outbox, target, number);
        this.target = target;
    }

    /// The receiving end of one consumer.
    private final class Receiver implements StoredConsumer.Receiver {
        private final int consumerNumber;
        private final StoredConsumer consumer;
        private final Consumer<StoredSubscription> onEnd;

        /// Of the message in parts that it is getting; nothing else comes until that has ended.
        private @Nullable PartStream stream;

        /// Delivery that the stream is of.
        private long streamed;

        Receiver(
                int number,
                StoredSubscription subscription,
                @Nullable MessageFilter filter,
                Consumer<StoredSubscription> onEnd) {
            this.consumerNumber = number;
            this.onEnd = onEnd;
            this.consumer = shard.attach(subscription, filter, this);
        }

        @Override
        public long nextDelivery() {
            return lastDelivery + 1;
        }

        @Override
        public DeliveryShare share() {
            return target.flight().share();
        }

        @Override
        public boolean ready() {
            return stream == null && target.flight().hasRoom(consumer);
        }

        @Override
        public boolean takes(int blockBytes) {
            return target.flight().take(blockBytes);
        }

        void stopStream() {
            PartStream running = stream;
            if (running != null) {
                running.stop();
                stream = null;
                target.flight().forget(running);
            }
        }

        @Override
        public void onRecall() {
            deliveries.tell(() -> target.onRecall(number, consumerNumber));
        }

        /// Ends the stream, if it is one of these deliveries.
        void stopStream(DeliveryRanges deliveries) {
            if (stream != null && deliveries.contains(streamed)) {
                stopStream();
            }
        }

        void end(LongPredicate seen) {
            target.flight().forget(consumer);
            stopStream();
            shard.detach(consumer, seen);
            onEnd.accept(consumer.subscription());
        }

        @Override
        public void onMessage(
                StoredConsumer consumer,
                long sequence,
                int earlierDeliveries,
                byte[] block,
                int maxNameId) {
            long delivery = ++lastDelivery;
            unacknowledged.put(delivery, new Delivered(delivery, consumer, sequence));
            deliveries.send(consumerNumber, delivery, earlierDeliveries, block, maxNameId);
        }

        @Override
        public void onMessageInParts(
                StoredConsumer consumer,
                long sequence,
                int earlierDeliveries,
                byte[] head,
                int maxNameId,
                LargeBody body) {
            long delivery = ++lastDelivery;
            unacknowledged.put(delivery, new Delivered(delivery, consumer, sequence));
            deliveries.sendInParts(
                    consumerNumber, delivery, earlierDeliveries, head, maxNameId, body.bytes());
            PartStream begun =
                    new PartStream(
                            shard,
                            (part, receiver) ->
                                    shard.bodies().read(consumer, sequence, body, part, receiver),
                            body.parts(),
                            target.flight(),
                            new Parts(this, delivery));
            stream = begun;
            streamed = delivery;
            begun.proceed();
        }
    }

    /// Receiver of the parts of a consumer's message.
    private final class Parts implements PartStream.Receiver {
        private final Receiver receiver;
        private final long delivery;

        Parts(Receiver receiver, long delivery) {
            this.receiver = receiver;
            this.delivery = delivery;
        }

        @Override
        public void onPart(byte[] part) {
            int consumer = receiver.consumerNumber;
            deliveries.tell(part.length, () -> target.onPart(number, consumer, part));
        }

        @Override
        public void onComplete() {
            receiver.stream = null;
            shard.resume(receiver.consumer);
        }

        @Override
        public void onCut() {
            unacknowledged.remove(delivery);
            int consumer = receiver.consumerNumber;
            deliveries.tell(() -> target.onCut(number, consumer));
            onComplete();
        }
    }

    /// A browser begins; it has no credit yet.
    ///
    /// @param consumer number that the client uses for it
    /// @param filter which messages it wants; null for all
    public void browse(int consumer, StoredSubscription queue, @Nullable MessageFilter filter) {
        browsers.put(
                consumer,
                shard.browse(
                        queue,
                        filter,
                        Long.MAX_VALUE,
                        new BrowserReceiver(deliveries, target.flight(), consumer)));
    }

    /// True if the session has ended, so that nothing may be attached to it.
    public boolean ended() {
        return ended;
    }

    /// True if it goes on, and that shard has its deliveries. Another one may have taken its place.
    public boolean isOf(Shard other) {
        return !ended && shard == other;
    }

    /// A consumer begins; it has no credit yet.
    ///
    /// @param number that the client uses for it
    /// @param filter which messages it wants; null for all
    /// @param onEnd called when it has ended
    public void attach(
            int number,
            StoredSubscription subscription,
            @Nullable MessageFilter filter,
            Consumer<StoredSubscription> onEnd) {
        consumers.put(number, new Receiver(number, subscription, filter, onEnd));
    }

    /// More credit for a consumer.
    public void onCredit(int number, int messages, int bytes) {
        Receiver receiver = consumers.get(number);
        if (receiver != null) {
            shard.onCredit(receiver.consumer, messages, bytes);
        }
        Browser browser = browsers.get(number);
        if (browser != null) {
            browser.onCredit(messages, bytes);
        }
    }

    /// Messages have been processed. They stay unacknowledged if that is refused.
    ///
    /// @param least how durable that must be before `outcome` is told
    public void acknowledge(DeliveryRanges deliveries, Durability least, Outcome outcome) {
        if (least == Durability.SYNCED && shard.failure().isPresent()) {
            shard.await(least, outcome);
            return;
        }
        for (Delivered one : take(deliveries)) {
            long[] sequence = {one.sequence};
            shard.acknowledge(one.consumer, sequence, Durability.WRITTEN, Outcome.IGNORED);
        }
        shard.await(least, outcome);
    }

    /// Takes deliveries out, in the order of their ids.
    private List<Delivered> take(DeliveryRanges deliveries) {
        List<Delivered> taken = new ArrayList<>();
        for (int range = 0; range < deliveries.count() && !unacknowledged.isEmpty(); range++) {
            unacknowledged.removeAll(deliveries.first(range), deliveries.last(range), taken::add);
        }
        return taken;
    }

    /// Makes what a transaction publishes and acknowledges take effect. What it would acknowledge
    /// stays unacknowledged if that is refused.
    ///
    /// @param transaction what it publishes
    /// @param id by which it may be asked for, empty for none
    /// @param deliveries what it acknowledges
    public void commit(
            StoredTransaction transaction, String id, DeliveryRanges deliveries, Outcome outcome) {
        Runnable undo = join(transaction, deliveries);
        shard.transactions().commit(transaction, id, new Undoing(List.of(undo), outcome));
    }

    /// Makes deliveries part of a transaction, to be acknowledged by it.
    ///
    /// @return puts them back, if the transaction has no effect
    public Runnable join(StoredTransaction transaction, DeliveryRanges deliveries) {
        List<Delivered> taken = take(deliveries);
        taken.forEach(one -> transaction.acknowledge(one.consumer, one.sequence));
        return () -> taken.forEach(one -> unacknowledged.put(one.id, one));
    }

    /// A consumer waits in vain: what others were sent ahead is asked back.
    ///
    /// @return the limit because of which it gets nothing, null if that is not so
    public @Nullable String ask(int number) {
        Receiver waiting = consumers.get(number);
        return waiting == null ? null : waiting.consumer.ask();
    }

    /// Gives back what nobody has seen of a consumer's deliveries, and its credit.
    ///
    /// @param seen its deliveries that the application has received
    public void giveBack(int number, DeliveryRanges seen) {
        Receiver receiver = consumers.get(number);
        if (receiver == null) {
            return;
        }
        receiver.stopStream();
        List<Long> unseen = new ArrayList<>();
        receiver.consumer.forEachDelivery((sequence, delivery) -> {
            Delivered one = unacknowledged.get(delivery);
            if (one != null && !one.wasSeen(seen)) {
                unacknowledged.remove(delivery);
                unseen.add(sequence);
            }
        });
        long[] sequences = unseen.stream().mapToLong(Long::longValue).toArray();
        shard.release(receiver.consumer, sequences, Return.UNSEEN);
        shard.onCreditEnded(receiver.consumer);
    }

    /// Gives deliveries back; each counts as an attempt.
    public void giveBack(DeliveryRanges deliveries) {
        consumers.values().forEach(receiver -> receiver.stopStream(deliveries));
        for (Delivered one : take(deliveries)) {
            shard.release(one.consumer, new long[] {one.sequence}, Return.FAILED);
        }
    }

    /// The application gets a message. If the session ends before it is acknowledged, that counts
    /// as an attempt, whoever ends it.
    public void onSeen(long delivery) {
        Delivered seen = unacknowledged.get(delivery);
        if (seen != null) {
            seen.seen = true;
        }
    }

    /// A message has expired at the client, before the application has seen it.
    public void onExpired(long delivery) {
        Delivered expired = unacknowledged.remove(delivery);
        if (expired != null) {
            shard.expire(expired.consumer, expired.sequence);
        }
    }

    /// Gives back all that is unacknowledged.
    ///
    /// @param failed what counts as an attempt
    public void recover(DeliveryRanges failed) {
        giveBack(failed, Return.UNSEEN);
    }

    /// @param seen counts as an attempt, beside what the client has told before
    /// @param others how the others come back
    private void giveBack(DeliveryRanges seen, Return others) {
        consumers.values().forEach(Receiver::stopStream);
        List<Delivered> leaving = unacknowledged.values();
        unacknowledged.clear();
        for (Delivered one : leaving) {
            Return how = one.wasSeen(seen) ? Return.FAILED : others;
            shard.release(one.consumer, new long[] {one.sequence}, how);
        }
    }

    /// Ends a consumer: what nobody has seen comes back, the rest stays with the session.
    ///
    /// @param seen its deliveries that the application has received
    public void endConsumer(int number, DeliveryRanges seen) {
        Browser browser = browsers.remove(number);
        if (browser != null) {
            close(browser);
        }
        Receiver ending = consumers.remove(number);
        if (ending == null) {
            return;
        }
        Set<Long> kept = new HashSet<>();
        ending.consumer.forEachDelivery((sequence, delivery) -> {
            Delivered one = unacknowledged.get(delivery);
            if (one != null && one.wasSeen(seen)) {
                kept.add(sequence);
            } else {
                unacknowledged.remove(delivery);
            }
        });
        ending.end(kept::contains);
    }

    private void close(Browser browser) {
        browser.close();
        target.flight().forget(browser);
    }

    /// The shard is given up, and the session with it: its connection is closed.
    void abandon(String why) {
        ended = true;
        consumers.values().forEach(Receiver::stopStream);
        browsers.values().forEach(this::close);
        deliveries.abandon(why);
    }

    /// Ends the session. What the application has received and not acknowledged has failed.
    ///
    /// @param seen what the application has received; null if the client is gone and could tell
    ///   only what it has given out of messages that came again ([#onSeen])
    public void end(@Nullable DeliveryRanges seen) {
        if (ended) {
            return;
        }
        ended = true;
        onEnd.accept(this);
        if (seen == null) {
            giveBack(DeliveryRanges.NONE, Return.UNKNOWN);
        } else {
            giveBack(seen, Return.UNSEEN);
        }
        browsers.values().forEach(this::close);
        browsers.clear();
        List<Receiver> ending = List.copyOf(consumers.values());
        consumers.clear();
        ending.forEach(receiver -> receiver.end(sequence -> false));
    }
}
