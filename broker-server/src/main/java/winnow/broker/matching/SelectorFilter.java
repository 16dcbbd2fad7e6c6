package winnow.broker.matching;

import org.jspecify.annotations.Nullable;
import winnow.broker.shard.MessageFilter;
import winnow.selector.engine.Matcher;
import winnow.selector.engine.Selector;
import winnow.selector.slot.SlotValues;
import winnow.selector.slot.Slots;
import winnow.wire.MessageBlock;

/// The selector of a queue's consumer. Filters of the same text are equal. Owned by the thread of
/// the queue's shard.
public final class SelectorFilter implements MessageFilter {
    private final SubscriptionFilter filter;
    private final Selector selector;
    private final Slots slots = new Slots();
    private final Matcher matcher;
    private final SlotsByName slotsByName;
    private final PropertyProjection projection;
    private final SlotValues values = new SlotValues();
    private final MessageBlock block = new MessageBlock();

    /// @param selector what `filter` says, parsed
    public SelectorFilter(SubscriptionFilter filter, Selector selector, NameDictionary names) {
        this.filter = filter;
        this.selector = selector;
        this.matcher = selector.bind(slots);
        this.slotsByName = new SlotsByName(slots);
        this.projection = new PropertyProjection(names);
    }

    Selector selector() {
        return selector;
    }

    /// A message that is above the limits of today was let in under others.
    @Override
    public boolean matches(byte[] head) {
        block.parseFields(head, 0, head.length);
        projection.project(block, slots, slotsByName, values, PropertyLimits.NONE);
        return matcher.matches(values);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SelectorFilter same && same.filter.equals(filter);
    }

    @Override
    public int hashCode() {
        return filter.hashCode();
    }

    @Override
    public String toString() {
        return filter.toString();
    }
}
