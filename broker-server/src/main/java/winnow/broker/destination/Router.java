package winnow.broker.destination;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import winnow.broker.metrics.LoopCounters;
import winnow.broker.shard.Recipients;
import winnow.broker.subscription.DeliveryTarget;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.Recipient;
import winnow.broker.subscription.StoredRecipient;
import winnow.broker.subscription.Subscription;
import winnow.selector.index.MatchSink;
import winnow.selector.order.ClockCost;
import winnow.selector.slot.Sampler;
import winnow.wire.MessageBlock;

/// Brings messages published on one event loop to the matching subscriptions: those of the same
/// loop directly, those of other loops in one [Handover] per batch, or several if it is large.
/// Owned by its loop.
public final class Router {
    /// Bytes on their way to one other loop above which producers of this loop get no more credit.
    private static final long MAX_HANDOVER_BYTES = 4L * 1024 * 1024;

    /// One message of so many is timed in the mean, which costs two readings of the clock (25 ns
    /// each): less than 1 % of the cheapest message (35 ns).
    private static final int MESSAGES_PER_SAMPLE = 256;

    /// Copies that gather at most before they are delivered, but for those of the last message: the
    /// 32 KiB they take still fit the second cache, and with 40 subscribers each gets 50 at once.
    static final int MAX_COPIES = 2048;

    private final Loop own;
    private final int ownIndex;
    private final List<? extends Loop> loops;
    private final LoopCounters counters;
    private final MatchContext context;
    private final Handing handing = new Handing();
    private final DeliveryBatch batch = new DeliveryBatch();
    private byte[] batchArray = {};
    private long batchMessage;
    private final @Nullable Handover[] handovers;
    private final AtomicLongArray bytesOnTheWay;
    private final AtomicBoolean resumeScheduled = new AtomicBoolean();
    private final SequencedSet<BlockedProducer> waiting = new LinkedHashSet<>();
    private volatile boolean someoneWaits;
    private @Nullable Topic lastTopic;
    private long messages;
    private final Sampler sampler = new Sampler(MESSAGES_PER_SAMPLE);
    private int untilSample = sampler.distance();

    /// @param loops all loops of the broker, by index; complete when the first message comes
    /// @param loopCount how many there will be
    public Router(
            Loop own,
            List<? extends Loop> loops,
            int loopCount,
            NameDictionary names,
            LoopCounters counters) {
        this.own = own;
        this.ownIndex = own.index();
        this.loops = loops;
        this.counters = counters;
        this.context = new MatchContext(names);
        this.handovers = new @Nullable Handover[loopCount];
        this.bytesOnTheWay = new AtomicLongArray(loopCount);
    }

    /// Takes a matching recipient: a live subscription gets the message, a stored one is noted,
    /// unless it does not want messages of this producer.
    private final class Handing implements MatchSink<Recipient> {
        private MessageBlock block = new MessageBlock();
        private @Nullable DeliveryTarget producer;
        private boolean live;

        /// Live subscriptions that want the message.
        private int copies;

        private int[] stored = new int[16];
        private int storedCount;

        void begin(MessageBlock newBlock, @Nullable DeliveryTarget newProducer, boolean nowLive) {
            block = newBlock;
            producer = newProducer;
            live = nowLive;
            copies = 0;
            storedCount = 0;
        }

        @Override
        public void onMatch(Recipient recipient) {
            // A type switch would cost more than the copy.
            if (recipient instanceof Subscription subscription) {
                if (subscription.wants(producer)) {
                    copies++;
                    if (live) {
                        hand(subscription, block);
                    }
                }
            } else if (recipient instanceof StoredRecipient one && one.wants(producer)) {
                note(one.id());
            }
        }

        private void note(int id) {
            if (storedCount == stored.length) {
                stored = Arrays.copyOf(stored, 2 * storedCount);
            }
            stored[storedCount++] = id;
        }

        /// The stored ones that were noted, null if nobody wants the message to be stored.
        @Nullable Recipients recipients(Topic topic) {
            if (storedCount == 0) {
                return topic.storesAll() ? Recipients.NONE : null;
            }
            return Recipients.of(Arrays.copyOf(stored, storedCount));
        }
    }

    /// Routes one message to live subscriptions, and finds who wants it stored. Subscriptions of
    /// this loop get it when [#deliver] is called.
    ///
    /// @param block the message, its properties unchecked; borrowed, its array until [#deliver] is
    ///   called
    /// @param producer the connection it came from, null if it is not there
    /// @throws RefusedException if a string in it is above the limit; then nobody gets it
    /// @return those subscriptions with a selector for which it is to be stored, null if it is to
    ///   be stored for nobody
    /// @throws winnow.wire.WireException if its properties are malformed; then neither
    public @Nullable Recipients route(
            Topic topic, MessageBlock block, @Nullable DeliveryTarget producer) {
        assert own.inLoop();
        messages++;
        if (topic != lastTopic) {
            settle();
            lastTopic = topic;
        }
        handing.begin(block, producer, true);
        if (--untilSample == 0) {
            untilSample = sampler.distance();
            matchTimed(topic, block);
        } else {
            topic.subscriptions().match(block, context, handing);
        }
        context.matched(handing.copies);
        counters.routed(block.length(), handing.copies);
        if (batch.copies() >= MAX_COPIES) {
            deliver();
        }
        return handing.recipients(topic);
    }

    /// Finds who wants a message stored, without giving it to live subscriptions.
    ///
    /// @return as [#route]
    /// @throws RefusedException if a string in it is above the limit
    /// @throws winnow.wire.WireException if its properties are malformed
    public @Nullable Recipients matchStored(
            Topic topic, MessageBlock block, DeliveryTarget producer) {
        assert own.inLoop();
        handing.begin(block, producer, false);
        topic.subscriptions().match(block, context, handing);
        return handing.recipients(topic);
    }

    /// Whether live subscriptions would have got the message that was matched last.
    public boolean matchedLive() {
        return handing.copies > 0;
    }

    /// Looks at a message that no selector index looks at.
    ///
    /// @param maxStringBytes longest string that it may have where selectors look
    /// @throws RefusedException if a string in it is above the limit
    /// @throws winnow.wire.WireException if its properties are malformed
    public void check(MessageBlock block, int maxStringBytes) {
        context.check(block, maxStringBytes);
    }

    /// Largest number of a property name in the message that was routed, matched or checked last, 0
    /// if it uses none.
    public int maxNameId() {
        return context.maxNameId();
    }

    /// Whether that message may have one of [winnow.broker.shard.MessageHeaders#SPECIAL_NAMES].
    public boolean special() {
        return context.special();
    }

    private void matchTimed(Topic topic, MessageBlock block) {
        long start = System.nanoTime();
        topic.subscriptions().match(block, context, handing);
        long nanos = System.nanoTime() - start;
        context.took(MESSAGES_PER_SAMPLE * Math.max(0, nanos - ClockCost.NANOS));
    }

    private void settle() {
        if (lastTopic != null) {
            context.settle(lastTopic.matchCounters(), counters.totals().matching);
        }
    }

    private void hand(Subscription subscription, MessageBlock block) {
        int index = subscription.loopIndex();
        int start = block.start();
        int end = block.end();
        if (index == ownIndex) {
            if (batchMessage != messages) {
                batchMessage = messages;
                batchArray = block.array();
                batch.addMessage(start, end, context.maxNameId());
            }
            batch.addCopy(subscription);
            return;
        }
        Handover handover = handovers[index];
        if (handover != null && handover.isFullBefore(messages)) {
            send(index, handover);
            handover = null;
        }
        if (handover == null) {
            handover = new Handover(this, loops.get(index), own.sampledReadNanos());
            handovers[index] = handover;
        }
        handover.add(subscription, messages, block.array(), start, end, context.maxNameId());
    }

    /// Delivers what was routed to subscriptions of this loop. To be called before the array of the
    /// messages is used again.
    public void deliver() {
        batch.deliver(own, batchArray, own.sampledReadNanos());
    }

    /// Sends what gathered for other loops; at the end of each batch of published messages.
    public void endBatch() {
        settle();
        lastTopic = null;
        for (int i = 0; i < handovers.length; i++) {
            Handover handover = handovers[i];
            if (handover != null) {
                send(i, handover);
            }
        }
    }

    private void send(int receiver, Handover handover) {
        handovers[receiver] = null;
        loops.get(receiver).execute(handover);
    }

    /// What the loop publishes about itself.
    public LoopCounters counters() {
        return counters;
    }

    /// Whether another loop lags so far behind that producers must wait.
    public boolean congested() {
        for (int i = 0; i < bytesOnTheWay.length(); i++) {
            if (bytesOnTheWay.get(i) > MAX_HANDOVER_BYTES) {
                return true;
            }
        }
        return false;
    }

    /// Calls `producer` when no loop lags any more.
    public void await(BlockedProducer producer) {
        assert own.inLoop();
        waiting.add(producer);
        someoneWaits = true;
        resumeUnlessCongested();
    }

    /// The producer has gone.
    public void forget(BlockedProducer producer) {
        waiting.remove(producer);
    }

    /// A handover is about to take so many bytes.
    void onSending(int receiver, int bytes) {
        bytesOnTheWay.addAndGet(receiver, bytes);
    }

    /// The receiving loop has taken a handover. Called on the receiving loop.
    void onTaken(int receiver, int bytes) {
        bytesOnTheWay.addAndGet(receiver, -bytes);
        if (someoneWaits && !resumeScheduled.getAndSet(true)) {
            own.execute(this::resumeUnlessCongested);
        }
    }

    private void resumeUnlessCongested() {
        resumeScheduled.set(false);
        if (congested()) {
            return;
        }
        someoneWaits = false;
        while (!waiting.isEmpty()) {
            own.faults().run(waiting.removeFirst()::onUnblocked);
        }
    }
}
