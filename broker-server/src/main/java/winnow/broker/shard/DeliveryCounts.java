package winnow.broker.shard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Counts of deliveries of messages that came back. Low counts, which all messages of a consumer
/// that is lost have together, take two bytes at most for each message. Owned by a shard.
final class DeliveryCounts {
    /// Counts up to this one are a set of sequences each.
    private static final int LOW = 8;

    /// By count, from 1.
    private final List<SequenceSet> low = new ArrayList<>(0);

    private final Map<Long, Integer> high = new HashMap<>(0);

    /// @return 0 if nothing is known
    int get(long sequence) {
        for (int i = 0; i < low.size(); i++) {
            if (low.get(i).contains(sequence)) {
                return i + 1;
            }
        }
        return high.isEmpty() ? 0 : high.getOrDefault(sequence, 0);
    }

    /// @param count at least 1
    void put(long sequence, int count) {
        int before = get(sequence);
        if (before == count) {
            return;
        }
        if (before > 0) {
            remove(sequence);
        }
        if (count > LOW) {
            high.put(sequence, count);
            return;
        }
        while (low.size() < count) {
            low.add(new SequenceSet());
        }
        low.get(count - 1).add(sequence);
    }

    /// @return whether something was known
    boolean remove(long sequence) {
        for (int i = 0; i < low.size(); i++) {
            if (low.get(i).remove(sequence)) {
                return true;
            }
        }
        return !high.isEmpty() && high.remove(sequence) != null;
    }

    void clear() {
        low.clear();
        high.clear();
    }
}
