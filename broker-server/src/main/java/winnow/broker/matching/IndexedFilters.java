package winnow.broker.matching;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import winnow.broker.shard.LaneIndex;
import winnow.broker.shard.MessageFilter;
import winnow.selector.index.MatchScratch;
import winnow.selector.index.SelectorIndex;
import winnow.selector.index.api.SubscriberHandle;
import winnow.selector.slot.SlotValues;
import winnow.wire.MessageBlock;

/// The selectors of a queue's consumers in an index, so that a message costs the same whether there
/// are ten or ten thousand. Owned by the thread of the queue's shard.
public final class IndexedFilters implements LaneIndex {
    /// Messages between two looks at what matching has learned.
    private static final int MESSAGES_PER_TUNING = 4096;

    private static final int SELECTORS_PER_TUNING = 64;

    private final SelectorIndex<MessageFilter> index = new SelectorIndex<>();
    private final SlotsByName slotsByName = new SlotsByName(index.slots());
    private final PropertyProjection projection;
    private final SlotValues values = new SlotValues();
    private final MatchScratch matching = new MatchScratch();
    private final MessageBlock block = new MessageBlock();
    private final Map<MessageFilter, SubscriberHandle<MessageFilter>> entries = new HashMap<>();
    private int untilTuning = MESSAGES_PER_TUNING;

    public IndexedFilters(NameDictionary names) {
        this.projection = new PropertyProjection(names);
    }

    @Override
    public void add(MessageFilter filter) {
        if (!(filter instanceof SelectorFilter selective)) {
            throw new IllegalArgumentException("expected a selector, found " + filter);
        }
        entries.put(filter, index.add(selective.selector(), filter));
    }

    @Override
    public void remove(MessageFilter filter) {
        SubscriberHandle<MessageFilter> entry = entries.remove(filter);
        if (entry != null) {
            index.remove(entry);
        }
    }

    /// A message that is above the limits of today was let in under others.
    @Override
    public void match(byte[] head, Consumer<MessageFilter> matched) {
        block.parseFields(head, 0, head.length);
        projection.project(block, index.slots(), slotsByName, values, PropertyLimits.NONE);
        index.match(values, matching, matched::accept);
        if (--untilTuning == 0) {
            untilTuning = MESSAGES_PER_TUNING;
            index.tune(SELECTORS_PER_TUNING);
        }
    }
}
