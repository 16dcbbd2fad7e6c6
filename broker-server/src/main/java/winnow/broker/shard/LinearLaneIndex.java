package winnow.broker.shard;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/// Asks one filter after the other. Owned by a shard.
public final class LinearLaneIndex implements LaneIndex {
    private final Set<MessageFilter> filters = new LinkedHashSet<>();

    @Override
    public void add(MessageFilter filter) {
        filters.add(filter);
    }

    @Override
    public void remove(MessageFilter filter) {
        filters.remove(filter);
    }

    @Override
    public void match(byte[] head, Consumer<MessageFilter> matching) {
        for (MessageFilter filter : filters) {
            if (filter.matches(head)) {
                matching.accept(filter);
            }
        }
    }
}
