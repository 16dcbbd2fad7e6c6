package winnow.broker.matching;

import org.jspecify.annotations.Nullable;
import winnow.broker.subscription.Recipient;
import winnow.selector.engine.Selector;
import winnow.selector.index.Addition;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.MatchSink;
import winnow.selector.index.api.SubscriberHandle;
import winnow.wire.MessageBlock;

/// Subscriptions found through a [SelectorIndex].
public final class IndexedSubscriptions implements SubscriptionSet {
    /// Number of selectors that are looked at ten times a second; a few microseconds each.
    private static final int SELECTORS_PER_TUNING = 64;

    private static final int SELECTORS_PER_STEP = 16;

    /// A microsecond or two each.
    private static final int TERMS_PER_STEP = 32;

    private final SelectorIndex<Recipient> index = new SelectorIndex<>();
    private final SlotsByName slotsByName = new SlotsByName(index.slots());

    /// Number of selectors that may be looked at since tuning was started.
    private int untuned;

    @Override
    public MatchingMode mode() {
        return MatchingMode.INDEXED;
    }

    @Override
    public SelectorIndex<Recipient> index() {
        return index;
    }

    @Override
    public Selector prepared(Selector selector) {
        return selector.canonical();
    }

    @Override
    public boolean add(Installed installed, @Nullable Selector selector) {
        Addition<Recipient> addition = installed.addition;
        if (addition == null) {
            addition = index.adding(selector, installed.recipient);
            installed.addition = addition;
        }
        if (addition.step(TERMS_PER_STEP)) {
            return true;
        }
        installed.entry = addition.entry();
        installed.addition = null;
        return false;
    }

    @Override
    public void remove(Installed installed) {
        SubscriberHandle<Recipient> entry = installed.entry;
        if (entry != null) {
            index.detach(entry);
        }
    }

    @Override
    public boolean tidy() {
        return index.tidy(TERMS_PER_STEP);
    }

    @Override
    public boolean startTuning() {
        untuned = SELECTORS_PER_TUNING;
        return index.startTuning();
    }

    @Override
    public boolean tuneSome() {
        index.tuneSome(SELECTORS_PER_STEP);
        untuned -= SELECTORS_PER_STEP;
        return untuned > 0;
    }

    @Override
    public boolean begin(MessageBlock block, MatchContext context, MatchSink<Recipient> sink) {
        if (index.asksNothing()) {
            context.check(block);
            return index.beginUnasked(context.matching(), sink);
        }
        project(block, context);
        return beginProjected(context, sink);
    }

    /// Fills the values of the context for the slots of the index; see [MatchContext#project].
    void project(MessageBlock block, MatchContext context) {
        context.project(block, index.slots(), slotsByName);
    }

    /// Begins a match of the values that [#project] filled.
    boolean beginProjected(MatchContext context, MatchSink<Recipient> sink) {
        context.probed();
        return index.begin(context.values(), context.matching(), sink);
    }

    @Override
    public boolean resume(MatchContext context, MatchSink<Recipient> sink) {
        return context.matching().resume();
    }
}
