package winnow.broker.routing;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import winnow.broker.destination.BlockedProducer;
import winnow.broker.destination.Topic;
import winnow.broker.matching.MatchContext;
import winnow.broker.matching.NameDictionary;
import winnow.broker.matching.PropertyLimits;
import winnow.broker.matching.SubscriptionSet;
import winnow.broker.metrics.LoopCounters;
import winnow.broker.subscription.DeliveryTarget;
import winnow.broker.subscription.LiveBody;
import winnow.broker.subscription.Loop;
import winnow.broker.subscription.Publisher;
import winnow.broker.subscription.Subscription;
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

    private static final byte[] NONE = {};

    /// A topic with so many subscriptions at most is matched at once, even if there is no scratch
    /// space for its match to be stopped. If its turn does not suffice, it begins again later.
    private static final int FEW_SUBSCRIPTIONS = 64;

    private final Loop own;
    private final int ownIndex;
    private final List<? extends Loop> loops;
    private final LoopCounters counters;
    private final MatchTurn turn;

    /// For the message that is being routed.
    private Handing handing;

    private final MatchResult result;
    private final SuspendedMatches suspendedMatches;
    private final DeliveryBatch batch = new DeliveryBatch();
    private byte[] batchArray = NONE;
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
        this(own, loops, loopCount, names, counters, System::nanoTime);
    }

    /// @param nanoClock tells how long a match takes
    public Router(
            Loop own,
            List<? extends Loop> loops,
            int loopCount,
            NameDictionary names,
            LoopCounters counters,
            LongSupplier nanoClock) {
        this.own = own;
        this.ownIndex = own.index();
        this.loops = loops;
        this.counters = counters;
        this.turn = new MatchTurn(nanoClock);
        Supplier<Handing> newHanding = () -> new Handing(this, names, turn);
        this.suspendedMatches = new SuspendedMatches(newHanding);
        this.handing = newHanding.get();
        this.result = new MatchResult(handing);
        this.handovers = new @Nullable Handover[loopCount];
        this.bytesOnTheWay = new AtomicLongArray(loopCount);
    }

    /// Begins to match one message. Subscriptions of this loop get it when [#deliver] is called.
    /// While others take long, it may not begin at once.
    ///
    /// @param block the message, its properties unchecked; borrowed, its array until this returns
    ///   what is left to do, or else until the caller calls [#deliver]. That of a message of more
    ///   than [SharedMessage#MAX_BORROWED_BYTES] is not borrowed, but must never be changed
    /// @param producer the connection it came from, null if it was accepted and stored before
    /// @param body in parts, with a reference of the caller's until all of this has ended, and
    ///   `block` what comes before it, at the beginning of an array that is never changed; null if
    ///   the block has all of it
    /// @throws winnow.broker.matching.RefusedException if its properties are above the limits; then
    ///   nobody gets it
    /// @throws winnow.wire.WireException if its properties are malformed; then neither
    /// @return what is left to do, null if nothing is: then there is the [#result]
    public @Nullable SlicedMatch begin(
            Topic topic,
            MessageBlock block,
            @Nullable Publisher producer,
            Audience audience,
            @Nullable LiveBody body) {
        assert own.inLoop();
        if (mustWait(topic)) {
            begin(handing, topic, block, producer, Audience.STORED_ONLY);
            handing.context().check(block);
            handing.clear();
            return rest(topic, block, producer, audience, body).waiting(Set.of());
        }
        if (match(topic, block, producer, audience, body)) {
            return null;
        }
        topic.onLongMatch();
        counters.totals().slicedMatches.increment();
        SlicedMatch rest = rest(topic, block, producer, audience, body);
        return suspendedMatches.isFull()
                ? rest.waiting(giveUp())
                : rest.begun(suspend(topic, rest.block()));
    }

    private SlicedMatch rest(
            Topic topic,
            MessageBlock block,
            @Nullable Publisher producer,
            Audience audience,
            @Nullable LiveBody body) {
        MessageBlock kept = SuspendedMatches.keep(block);
        return new SlicedMatch(this, topic, kept, producer, audience, body);
    }

    /// True if a match waits before it begins, because it is likely to be stopped and there is no
    /// scratch space for that.
    private boolean mustWait(Topic topic) {
        return suspendedMatches.mustWait()
                && (topic.matchesLong()
                        || (suspendedMatches.isFull()
                                && topic.subscriptionCount() > FEW_SUBSCRIPTIONS));
    }

    /// Gives up a match for which there is no scratch space, but not what it has delivered.
    ///
    /// @return who has the message
    private Set<Subscription> giveUp() {
        Set<Subscription> served = handing.served();
        handing.context().abandon();
        // Its array is borrowed, and whoever began it may not deliver before the next read.
        deliver();
        letGoIfLarge();
        return served;
    }

    /// Outcome of the match, or of the [#check], that ended last.
    MatchResult result() {
        return result;
    }

    /// @return whether it has ended
    private boolean match(
            Topic topic,
            MessageBlock block,
            @Nullable Publisher producer,
            Audience audience,
            @Nullable LiveBody body) {
        messages++;
        if (topic != lastTopic) {
            settle();
            lastTopic = topic;
        }
        begin(handing, topic, block, producer, audience);
        if (body != null) {
            handing.inParts(body);
        }
        if (suspendedMatches.isFull()) {
            handing.noteServed();
        }
        boolean ended;
        try {
            if (handing.live() && --untilSample == 0) {
                untilSample = sampler.distance();
                ended = matchTimed(topic, block);
            } else {
                ended = topic.subscriptions().begin(block, handing.context(), handing);
            }
        } catch (RuntimeException | Error e) {
            if (handing.copies() > 0) {
                deliver();
            }
            letGoIfLarge();
            throw e;
        }
        if (ended) {
            onEnd();
            tell(topic, block, handing);
            turn.onRouted(handing.copies());
        }
        return ended;
    }

    private void onEnd() {
        count(handing);
        if (batch.copies() >= MAX_COPIES) {
            deliver();
        }
        letGoIfLarge();
    }

    /// Fills the [#result].
    void tell(Topic topic, MessageBlock block, Handing ended) {
        result.set(topic, block, ended);
    }

    private void letGoIfLarge() {
        if (handing.isAlone()) {
            deliver();
            handing.clear();
        }
    }

    /// A message that is stored was within the limits when it came, whatever they are now.
    public void begin(
            Handing taken,
            Topic topic,
            MessageBlock block,
            @Nullable Publisher producer,
            Audience audience) {
        taken.begin(block, producer, audience == Audience.LIVE_AND_STORED);
        taken.context()
                .limits(
                        producer instanceof DeliveryTarget
                                ? topic.propertyLimits()
                                : PropertyLimits.NONE);
    }

    private void count(Handing ended) {
        if (ended.live()) {
            ended.context().matched(ended.copies());
            counters.routed(ended.length(), ended.copies());
        }
    }

    /// Leaves the rest of the match for later, with its own scratch space and its own message.
    ///
    /// @return that scratch space
    private Handing suspend(Topic topic, MessageBlock kept) {
        Handing mine = handing;
        handing = suspendedMatches.suspend();
        mine.stop(kept);
        mine.context().settle(topic.matchCounters(), counters.totals().matching);
        lastTopic = null;
        return mine;
    }

    SuspendedMatches suspendedMatches() {
        return suspendedMatches;
    }

    /// Goes on with a match that takes long, for a short time.
    ///
    /// @param begun whether it was begun before
    /// @return whether it has ended
    boolean proceed(Topic topic, MessageBlock block, Handing mine, boolean begun) {
        assert own.inLoop();
        turn.beginStep();
        mine.beginStep();
        messages++;
        long start = mine.timed() ? System.nanoTime() : 0;
        try {
            SubscriptionSet subscriptions = topic.subscriptions();
            boolean ended =
                    begun
                            ? subscriptions.resume(mine.context(), mine)
                            : subscriptions.begin(block, mine.context(), mine);
            if (ended) {
                count(mine);
            }
            return ended;
        } finally {
            if (mine.timed()) {
                took(mine, System.nanoTime() - start);
            }
            turn.begin(MatchTurn.READ_NANOS);
            deliver();
            mine.context().settle(topic.matchCounters(), counters.totals().matching);
            endBatch();
        }
    }

    /// Looks at a message that no selector index looks at: it is to be stored, for nobody who has a
    /// selector here.
    ///
    /// @param limits of its properties
    /// @return its outcome; see [MatchResult]
    /// @throws winnow.broker.matching.RefusedException if it is above the limits
    /// @throws winnow.wire.WireException if its properties are malformed
    public MatchResult check(MessageBlock block, PropertyLimits limits) {
        MatchContext context = handing.context();
        context.limits(limits);
        context.check(block);
        result.set(null, block, handing);
        return result;
    }

    private boolean matchTimed(Topic topic, MessageBlock block) {
        handing.time();
        long start = System.nanoTime();
        boolean ended = topic.subscriptions().begin(block, handing.context(), handing);
        took(handing, System.nanoTime() - start);
        return ended;
    }

    private static void took(Handing timed, long nanos) {
        timed.context().took(MESSAGES_PER_SAMPLE * Math.max(0, nanos - ClockCost.NANOS));
    }

    private void settle() {
        if (lastTopic != null) {
            handing.context().settle(lastTopic.matchCounters(), counters.totals().matching);
        }
    }

    /// Brings a message to a live subscription.
    void hand(
            Subscription subscription,
            MessageBlock block,
            @Nullable SharedMessage shared,
            MatchContext context) {
        if (shared != null) {
            shared.addCopy();
        }
        int index = subscription.loopIndex();
        if (index == ownIndex) {
            if (batchMessage != messages) {
                batchMessage = messages;
                batchArray = block.array();
                batch.addMessage(block.start(), block.end(), context.maxNameId());
                if (shared != null) {
                    shared.goTo(ownIndex);
                    batch.share(shared);
                }
            }
            batch.addCopy(subscription);
            return;
        }
        Handover handover = handovers[index];
        if (handover != null && !handover.takes(messages, shared)) {
            send(index, handover);
            handover = null;
        }
        if (handover == null) {
            handover = new Handover(this, loops.get(index), own.sampledReadNanos(), shared);
            handovers[index] = handover;
            if (shared != null) {
                shared.goTo(index);
            }
        }
        handover.add(subscription, messages, block, context.maxNameId());
    }

    /// For a message that no loop gets a copy of.
    SharedMessage shared(MessageBlock block, @Nullable LiveBody body) {
        return new SharedMessage(block, body, handovers.length);
    }

    /// All recipients of the message have it that will get it.
    void end(SharedMessage shared) {
        shared.end(loops);
    }

    /// Delivers what was routed to subscriptions of this loop. To be called before the array of the
    /// messages is used again.
    public void deliver() {
        batch.deliver(own, batchArray, own.sampledReadNanos());
        if (batchArray.length > SharedMessage.MAX_BORROWED_BYTES) {
            batchArray = NONE;
        }
    }

    /// True if the loop should do something else before it routes the next message.
    public boolean isTurnOver() {
        return turn.isOver();
    }

    /// Messages follow that were read before the last turn was over.
    public void beginTurn() {
        turn.begin(MatchTurn.READ_NANOS);
    }

    /// The messages of one read have been routed: the next read is a turn of its own.
    public void onReadEnd() {
        deliver();
        turn.begin(MatchTurn.READ_NANOS);
    }

    /// Sends what gathered for other loops; at the end of each batch of published messages.
    public void endBatch() {
        settle();
        lastTopic = null;
        result.clear();
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

    /// Counters that the loop publishes about itself.
    public LoopCounters counters() {
        return counters;
    }

    /// True if another loop lags so far behind that producers must wait.
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
