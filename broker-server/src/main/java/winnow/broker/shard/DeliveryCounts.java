package winnow.broker.shard;

import java.util.ArrayList;
import java.util.List;

/// Counts of deliveries of messages that came back: for each binary digit a set of the messages
/// whose count has it. So a message takes a few bits, however often it was delivered. Owned by a
/// shard.
final class DeliveryCounts {
    /// Highest count that is kept.
    static final int MAX = (1 << 30) - 1;

    /// Messages whose count has a digit, from the lowest.
    private final List<SequenceSet> digits = new ArrayList<>(0);

    /// Messages with a count of 1 that have not failed.
    private final SequenceSet marked = new SequenceSet();

    /// Heap that they take, about.
    long heapBytes() {
        long bytes = marked.bitmapBytes();
        for (SequenceSet digit : digits) {
            bytes += HeapCost.LEVEL + digit.bitmapBytes();
        }
        return bytes;
    }

    /// @return 0 if nothing is known
    int get(long sequence) {
        int count = 0;
        for (int i = 0; i < digits.size(); i++) {
            count |= digits.get(i).contains(sequence) ? 1 << i : 0;
        }
        return count;
    }

    /// @param count at least 1; [#MAX] is kept for a higher one
    void put(long sequence, int count) {
        marked.remove(sequence);
        int kept = Math.min(count, MAX);
        while (kept >> digits.size() != 0) {
            digits.add(new SequenceSet());
        }
        for (int i = 0; i < digits.size(); i++) {
            if ((kept >> i & 1) != 0) {
                digits.get(i).add(sequence);
            } else {
                digits.get(i).remove(sequence);
            }
        }
    }

    /// A message may have been delivered, and has not failed: it has a count of 1 if it had none.
    void mark(long sequence) {
        if (get(sequence) == 0) {
            put(sequence, 1);
            marked.add(sequence);
        }
    }

    /// True if the count of a message is 1 and it has not failed.
    boolean isMarked(long sequence) {
        return marked.contains(sequence);
    }

    /// @return whether something was known
    boolean remove(long sequence) {
        marked.remove(sequence);
        boolean known = false;
        for (SequenceSet digit : digits) {
            known |= digit.remove(sequence);
        }
        return known;
    }

    void clear() {
        digits.clear();
        marked.clear();
    }
}
