package winnow.broker.destination;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.fault.LogQuota;
import winnow.broker.metrics.BlockReason;
import winnow.broker.metrics.Culprit;
import winnow.broker.subscription.BudgetListener;
import winnow.broker.subscription.Subscription;

/// The producers of one topic that are held back, and the subscriptions that are the reason.
/// Thread-safe.
final class BlockedProducers implements BudgetListener {
    private static final Logger LOG = LoggerFactory.getLogger(BlockedProducers.class);

    /// Of all topics together.
    private static final LogQuota QUOTA = new LogQuota();

    /// So many more looks at a blocked topic than at a free one make it worth a line in the log,
    /// and so many the other way another. Moments of a busy flow are not.
    static final int LOOKS = 10;

    private final String topic;
    private final FaultBarrier faults;
    private final AtomicInteger overBudget = new AtomicInteger();
    private final Set<Subscription> culprits = ConcurrentHashMap.newKeySet();
    private final Set<BlockedProducer> waiting = ConcurrentHashMap.newKeySet();
    private final Map<BlockedProducer, Supplier<HeldProducer>> held = new ConcurrentHashMap<>();

    /// Of the looks; used by the one thread that looks.
    private int looksBlocked;

    private long firstBlockedNanos;
    private boolean warned;

    /// @param topic its name
    BlockedProducers(String topic, FaultBarrier faults) {
        this.topic = topic;
        this.faults = faults;
    }

    /// True if some subscription holds producers back.
    boolean blocked() {
        return overBudget.get() > 0;
    }

    /// Number of producers that are held back, for whatever reason.
    int count() {
        return held.size();
    }

    /// At most so many of those that are held back.
    List<HeldProducer> held(int limit) {
        return held.values().stream().limit(limit).map(Supplier::get).toList();
    }

    /// A producer gets no credit until [#onFreed].
    ///
    /// @param info called by any thread until then
    void onHeld(BlockedProducer producer, Supplier<HeldProducer> info) {
        held.put(producer, info);
    }

    void onFreed(BlockedProducer producer) {
        held.remove(producer);
    }

    /// Which limit of which subscription holds producers back, empty if none does. The numbers in
    /// it may be of a moment ago.
    String reason() {
        for (Subscription culprit : culprits) {
            return "topic '" + topic + "': " + culprit.overBudgetReason();
        }
        return "";
    }

    /// Which kind of limit holds producers back, if they are.
    BlockReason limit() {
        for (Subscription culprit : culprits) {
            return limit(culprit);
        }
        return BlockReason.SUBSCRIPTION_BUFFER;
    }

    private static BlockReason limit(Subscription culprit) {
        return culprit.holdsBackAlone()
                ? BlockReason.SUBSCRIPTION_BUFFER
                : BlockReason.TOTAL_BUFFER;
    }

    /// At most so many of the subscriptions that hold producers back.
    List<Culprit> culprits(int limit) {
        return culprits.stream()
                .limit(limit)
                .map(one ->
                        new Culprit(
                                "subscription " + one.id() + " of " + one.target(),
                                limit(one),
                                one.backlogBytes()))
                .toList();
    }

    /// Logs that producers have been held back for some time, and that they go on. Called by one
    /// thread, every 100 ms or so.
    ///
    /// @return whether the log says that they are held back
    boolean look(long nowNanos) {
        String reason = reason();
        if (!reason.isEmpty()) {
            firstBlockedNanos = looksBlocked == 0 ? nowNanos : firstBlockedNanos;
            looksBlocked = Math.min(looksBlocked + 1, LOOKS);
        } else if (looksBlocked > 0) {
            looksBlocked--;
        }
        if (looksBlocked == LOOKS && !warned) {
            QUOTA.log(leftOut -> warn(reason, leftOut));
        } else if (looksBlocked == 0 && warned) {
            warned = false;
            LOG.atInfo()
                    .addKeyValue("topic", topic)
                    .log(
                            "Producers of topic '{}' go on, after about {} s",
                            topic,
                            TimeUnit.NANOSECONDS.toSeconds(nowNanos - firstBlockedNanos));
        }
        return warned;
    }

    private void warn(String reason, String leftOut) {
        if (!reason.isEmpty()) {
            warned = true;
            LOG.atWarn()
                    .addKeyValue("topic", topic)
                    .log("Producers are held back: {}{}", reason, leftOut);
        }
    }

    /// Calls `producer` once when the topic is not blocked, perhaps at once.
    void await(BlockedProducer producer) {
        waiting.add(producer);
        if (!blocked()) {
            wake();
        }
    }

    /// The producer has gone.
    void forget(BlockedProducer producer) {
        waiting.remove(producer);
    }

    @Override
    public void onOverBudget(Subscription subscription) {
        culprits.add(subscription);
        overBudget.incrementAndGet();
    }

    @Override
    public void onRelieved(Subscription subscription) {
        culprits.remove(subscription);
        if (overBudget.decrementAndGet() == 0) {
            wake();
        }
    }

    @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // A concurrent set bears it.
    private void wake() {
        for (BlockedProducer producer : waiting) {
            if (waiting.remove(producer)) {
                faults.run(producer::onUnblocked);
            }
        }
    }
}
