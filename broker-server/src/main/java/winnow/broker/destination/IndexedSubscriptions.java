package winnow.broker.destination;

import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Subscription;
import winnow.selector.Selector;
import winnow.selector.index.Entry;
import winnow.selector.index.MatchSink;
import winnow.selector.index.SelectorIndex;
import winnow.wire.MessageBlock;

/// Subscriptions found through a [SelectorIndex].
final class IndexedSubscriptions implements SubscriptionSet {
    /// A few microseconds each, on the owner loop.
    private static final int SELECTORS_PER_TUNING = 64;

    private final SelectorIndex<Subscription> index = new SelectorIndex<>();
    private final SlotsByName slotsByName = new SlotsByName(index.slots());
    private final int maxStringBytes;

    /// @param maxStringBytes longest string that a message may have where selectors look
    IndexedSubscriptions(int maxStringBytes) {
        this.maxStringBytes = maxStringBytes;
    }

    @Override
    public MatchingMode mode() {
        return MatchingMode.INDEXED;
    }

    /// Owner only, but for matching.
    SelectorIndex<Subscription> index() {
        return index;
    }

    @Override
    public void add(Installed installed, @Nullable Selector selector) {
        installed.entry = index.add(selector, installed.subscription);
    }

    @Override
    public void remove(Installed installed) {
        Entry<Subscription> entry = installed.entry;
        if (entry != null) {
            index.remove(entry);
        }
    }

    @Override
    public void tune() {
        index.tune(SELECTORS_PER_TUNING);
    }

    @Override
    public void match(MessageBlock block, MatchContext context, MatchSink<Subscription> sink) {
        context.project(block, index.slots(), slotsByName, maxStringBytes);
        context.probed();
        index.match(context.values(), context.matching(), sink);
    }
}
